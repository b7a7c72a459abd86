Feature: A Helm chart is an extension like any other
  A bundle in a catalog may be a Helm chart. It is resolved, applied, repaired and removed like a registry+v1 bundle.

  Background:
    Given the catalog "lights" serves edition 2
    And the sample chart "beacon" is installed in version 1.0.0

  Scenario: Its values are those of the configuration
    Then the ConfigMap "beacon" in "beacon-system" holds COLOUR "green"

  Scenario: It is upgraded along the graph of the catalog
    When I ask "beacon" for version "1.x"
    Then version 1.1.0 of "beacon" is installed
    And the Service "beacon" in "beacon-system" is there

  Scenario: Values that its schema refuses are told, and change nothing
    When I configure "beacon" with colour "blue"
    Then "Progressing" of "beacon" is False, InvalidConfiguration
    And the ConfigMap "beacon" in "beacon-system" holds COLOUR "green"

  Scenario: What it keeps outlives it
    When I delete the ClusterExtension "beacon"
    Then the ConfigMap "beacon-logbook" in "beacon-system" stays
    And the ConfigMap "beacon" in "beacon-system" goes
