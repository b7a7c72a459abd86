Feature: When something is wrong
  Each trouble is told with its cause, and disturbs nothing else.

  Background:
    Given the catalog "lights" serves edition 2
    And the account "lantern-installer" has the rights of installer.yaml
    And a neighbour is installed

  Scenario: An unknown package
    When I apply a ClusterExtension client-side with
      | packageName | no-such-operator |
    Then "Progressing" is True, Retrying:
      """
      no bundles found for package "no-such-operator"
      """
    And "Installed" is False, Failed:
      """
      No bundle installed
      """
    And the neighbour is undisturbed

  Scenario: A range that no version is in
    When I apply a ClusterExtension client-side with
      | packageName | lantern-operator |
      | version     | ">=9"            |
    Then "Progressing" is True, Retrying:
      """
      no bundles found for package "lantern-operator" matching version ">=9"
      """
    And the neighbour is undisturbed

  Scenario: An unreachable registry
    When I apply a ClusterCatalog "nowhere" of "127.0.0.1:1/lights/catalog:latest"
    Then "Progressing" of the catalog "nowhere" is True, Retrying:
      """
      source catalog content: error creating image source: pinging container registry 127.0.0.1:1: connection refused
      """
    And "Serving" of the catalog "nowhere" is False, Unavailable:
      """
      Content of the catalog has not been unpacked yet
      """
    And the neighbour is undisturbed
    When I apply a ClusterExtension server-side with
      | packageName | lantern-operator |
      | version     | ~1.0             |
      | selector    | {matchLabels: {olm.operatorframework.io/metadata.name: lights}} |
    Then version 1.0.1 is installed

  Scenario: A registry that goes away after the catalog was fetched
    When I apply a ClusterExtension server-side with
      | packageName | lantern-operator |
      | version     | ~1.0             |
    Then version 1.0.1 is installed
    When the registry is away and the catalog "lights" is polled
    Then the catalog "lights" is still served, and says Retrying
    And the ServiceAccount "lantern-controller" is back within 5 seconds when it is deleted
    When the registry is there again
    Then "Progressing" of the catalog "lights" is True, Succeeded:
      """
      Successfully unpacked and stored content from resolved source
      """

  Scenario: A catalog that is not valid, until it is
    Given an image "broken/catalog:latest" with the catalog
      """
      schema: olm.package
      name: broken-operator
      ---
      schema: [unclosed
      """
    When I apply a ClusterCatalog "broken" of "registry.example.com/broken/catalog:latest"
    Then "Progressing" of the catalog "broken" is False, Blocked:
      """
      error storing fbc: error walking FBC root: catalog.yaml, document 2: error converting YAML to JSON: yaml: line 4: did not find expected ',' or ']'
      """
    And the neighbour is undisturbed
    Given an image "broken/catalog:latest" with the catalog
      """
      schema: olm.package
      name: broken-operator
      """
    When the catalog "broken" is polled
    Then "Serving" of the catalog "broken" is True, Available:
      """
      Serving desired content from resolved source
      """

  Scenario: A catalog that breaks keeps its last good edition
    When a broken edition is pushed to the tag of the catalog and "lights" is polled
    Then "Progressing" of the catalog "lights" is False, Blocked:
      """
      error storing fbc: error walking FBC root: catalog.yaml, document 1: error converting YAML to JSON: yaml: line 1: did not find expected ',' or ']'
      """
    And "Serving" of the catalog "lights" is True, Available:
      """
      Serving desired content from resolved source
      """
    When I apply a ClusterExtension server-side with
      | packageName | lantern-operator |
      | version     | ~1.0             |
    Then version 1.0.1 is installed

  Scenario: A catalog that is deleted takes nothing along
    When I apply a ClusterExtension server-side with
      | packageName | lantern-operator |
      | version     | ~1.0             |
      | selector    | {matchLabels: {olm.operatorframework.io/metadata.name: lights}} |
    Then version 1.0.1 is installed
    When I delete the catalog "lights"
    Then version 1.0.1 is installed
    And the ServiceAccount "lantern-controller" is back within 5 seconds when it is deleted
    And the neighbour is undisturbed
