Feature: Moving from version to version
  Upgrades follow the graph of the catalog. Going against it needs the user's word.

  Background:
    Given the catalog "lights" serves edition 2
    And the account "lantern-installer" has the rights of installer.yaml

  Scenario Outline: A wider range upgrades along the graph
    When I apply a ClusterExtension <how> with
      | packageName | lantern-operator |
      | version     | ~1.0             |
    Then version 1.0.1 is installed
    When I apply a ClusterExtension <how> with
      | packageName | lantern-operator |
      | version     | 1.x              |
    Then version 1.2.0 is installed
    And CRD, account and Deployment are the same objects as before

    Examples:
      | how         |
      | client-side |
      | server-side |

  Scenario: What the next version does not have goes away
    When I apply a ClusterExtension server-side with
      | packageName | lantern-operator |
      | version     | "1.1.0"          |
    Then version 1.1.0 is installed
    And there is a configmap "lantern-defaults"
    When I apply a ClusterExtension server-side with
      | packageName | lantern-operator |
      | version     | "1.2.0"          |
    Then version 1.2.0 is installed
    And there is a service "lantern-metrics"
    And there is no configmap "lantern-defaults"

  Scenario: A skipRange leads to the next major version
    When I apply a ClusterExtension server-side with
      | packageName | lantern-operator |
      | version     | "1.2.0"          |
    Then version 1.2.0 is installed
    When I apply a ClusterExtension server-side with
      | packageName | lantern-operator |
    Then version 2.0.0 is installed

  Scenario: A jump that the graph does not know is refused, and a better wish goes on from there
    When I apply a ClusterExtension server-side with
      | packageName | lantern-operator |
      | version     | "1.0.1"          |
    Then version 1.0.1 is installed
    When I apply a ClusterExtension server-side with
      | packageName | lantern-operator |
      | version     | "2.0.0"          |
    Then "Progressing" is True, Retrying:
      """
      error upgrading from currently installed version "1.0.1": no bundles found for package "lantern-operator" matching version "2.0.0"
      """
    And "Installed" is True, Succeeded:
      """
      Installed bundle registry.example.com/lights/lantern-operator-bundle:v1.0.1 successfully
      """
    When I apply a ClusterExtension server-side with
      | packageName | lantern-operator |
      | version     | 1.x              |
    Then version 1.2.0 is installed

  Scenario: SelfCertified jumps
    When I apply a ClusterExtension server-side with
      | packageName | lantern-operator |
      | version     | "1.0.1"          |
    Then version 1.0.1 is installed
    When I apply a ClusterExtension server-side with
      | packageName             | lantern-operator |
      | version                 | "2.0.0"          |
      | upgradeConstraintPolicy | SelfCertified    |
    Then version 2.0.0 is installed

  Scenario Outline: A rollback is refused until it is forced
    When I apply a ClusterExtension <how> with
      | packageName | lantern-operator |
      | version     | 1.x              |
    Then version 1.2.0 is installed
    When I apply a ClusterExtension <how> with
      | packageName | lantern-operator |
      | version     | "1.0.0"          |
    Then "Progressing" is True, Retrying:
      """
      error upgrading from currently installed version "1.2.0": no bundles found for package "lantern-operator" matching version "1.0.0"
      """
    When I apply a ClusterExtension <how> with
      | packageName             | lantern-operator |
      | version                 | "1.0.0"          |
      | upgradeConstraintPolicy | SelfCertified    |
    Then version 1.0.0 is installed
    And there is no service "lantern-metrics"
    And "BundleDeprecated" is True, Deprecated:
      """
      lantern-operator.v1.0.0 restarts too often; use 1.0.1 or later.
      """

    Examples:
      | how         |
      | client-side |
      | server-side |

  Scenario: A new catalog image is found by polling, and what fits is upgraded
    Given the catalog "lights" serves edition 1
    When I apply a ClusterExtension server-side with
      | packageName | lantern-operator |
      | version     | 1.x              |
    Then version 1.0.1 is installed
    When edition 2 is pushed to the tag of the catalog
    Then the catalog "lights" serves the pushed edition within 70 seconds
    And version 1.2.0 is installed
