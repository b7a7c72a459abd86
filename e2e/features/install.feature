Feature: Installing an extension
  A person writes a ClusterExtension. The newest bundle that fits is installed, as the account that it names.

  Background:
    Given the catalog "lights" serves edition 2
    And the account "lantern-installer" has the rights of installer.yaml

  Scenario Outline: Naming the package is enough
    When I apply a ClusterExtension <how> with
      | packageName | lantern-operator |
    Then version 2.0.0 is installed
    And "Installed" is True, Succeeded:
      """
      Installed bundle registry.example.com/lights/lantern-operator-bundle:v2.0.0 successfully
      """
    And "Progressing" is True, Succeeded:
      """
      Desired state reached
      """
    And "Available" is True, ProbesSucceeded:
      """
      Objects are available and pass all probes.
      """
    And "Deprecated" is False, NotDeprecated:
      """
      not deprecated
      """
    And every object was written as the account "lantern-installer"

    Examples:
      | how         |
      | client-side |
      | server-side |

  Scenario Outline: A channel limits the choice
    When I apply a ClusterExtension <how> with
      | packageName | lantern-operator |
      | channels    | [stable-v1]      |
    Then version 1.2.0 is installed

    Examples:
      | how         |
      | client-side |
      | server-side |

  Scenario Outline: An exact version is installed, and its deprecation is told
    When I apply a ClusterExtension <how> with
      | packageName | lantern-operator |
      | version     | "1.0.0"          |
    Then version 1.0.0 is installed
    And "Deprecated" is True, Deprecated:
      """
      lantern-operator.v1.0.0 restarts too often; use 1.0.1 or later.
      """
    And "PackageDeprecated" is False, NotDeprecated:
      """
      package not deprecated
      """
    And "ChannelDeprecated" is False, NotDeprecated:
      """
      channel not deprecated
      """
    And "BundleDeprecated" is True, Deprecated:
      """
      lantern-operator.v1.0.0 restarts too often; use 1.0.1 or later.
      """

    Examples:
      | how         |
      | client-side |
      | server-side |

  Scenario Outline: Of a range the newest version is installed
    When I apply a ClusterExtension <how> with
      | packageName | lantern-operator |
      | version     | <range>          |
    Then version <version> is installed

    Examples:
      | how         | range           | version |
      | client-side | ~1.0            | 1.0.1   |
      | server-side | ~1.0            | 1.0.1   |
      | client-side | ">=1.0.0, <1.2" | 1.1.0   |
      | server-side | 1.x             | 1.2.0   |

  Scenario Outline: SelfCertified installs just as well
    When I apply a ClusterExtension <how> with
      | packageName             | lantern-operator |
      | version                 | "1.1.0"          |
      | upgradeConstraintPolicy | SelfCertified    |
    Then version 1.1.0 is installed

    Examples:
      | how         |
      | client-side |
      | server-side |
