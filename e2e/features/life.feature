Feature: What is installed stays as it is, until it is uninstalled

  Background:
    Given the catalog "lights" serves edition 2
    And the account "lantern-installer" has the rights of installer.yaml
    And I have applied a ClusterExtension client-side, and it is installed, with
      | packageName | lantern-operator |
      | version     | "1.2.0"          |

  Scenario: An object that is deleted comes back
    Then the ServiceAccount "lantern-controller" is back within 5 seconds when it is deleted

  Scenario: A field that is changed is set right
    When I apply a Service "lantern-metrics" with another port by force
    Then the Service "lantern-metrics" has port 8080 within 5 seconds

  Scenario: Uninstalling removes everything that was applied, and nothing else
    When I delete the ClusterExtension
    Then nothing of the extension is left
    And the account "lantern-installer" is still there

  Scenario: Uninstalling does not hang when the account went first
    Given there is no account "lantern-installer"
    When I delete the ClusterExtension
    Then nothing of the extension is left
