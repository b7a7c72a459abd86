Feature: The account of an extension
  Everything is written as the service account that the extension names, with its rights and no others.

  Background:
    Given the catalog "lights" serves edition 2
    And a neighbour is installed

  Scenario Outline: A missing account is named, and awaited
    Given there is no account "lantern-installer"
    When I apply a ClusterExtension <how> with
      | packageName | lantern-operator |
      | version     | ~1.0             |
    Then "Installed" is Unknown, Failed:
      """
      operation cannot proceed due to the following validation error(s): service account "lantern-installer" not found in namespace "lantern-system"
      """
    And "Progressing" is True, Retrying:
      """
      operation cannot proceed due to the following validation error(s): service account "lantern-installer" not found in namespace "lantern-system"
      """
    And the neighbour is undisturbed
    When the account "lantern-installer" gets the rights of installer.yaml
    Then version 1.0.1 is installed within 10 seconds

    Examples:
      | how         |
      | client-side |
      | server-side |

  Scenario: Every missing right is told at once, before anything is written, and rights that come are noticed
    Given the account "lantern-installer" has no rights
    When I apply a ClusterExtension server-side with
      | packageName | lantern-operator |
      | version     | ~1.0             |
    Then "Progressing" is True, Retrying, with one line for each missing right
      |                | apiextensions.k8s.io/customresourcedefinitions      | lanterns.lights.example.com | create,delete,patch         |
      |                | configmaps                                          |                             | get,list,watch              |
      |                | coordination.k8s.io/leases                          |                             | create,get,update           |
      |                | lights.example.com/lanterns                         |                             | get,list,patch,update,watch |
      |                | lights.example.com/lanterns/status                  |                             | get,list,patch,update,watch |
      |                | namespaces                                          |                             | get,list,watch              |
      |                | rbac.authorization.k8s.io/clusterrolebindings       | lantern-operator.v1-        | create,delete,patch         |
      |                | rbac.authorization.k8s.io/clusterrolebindings       | lantern-operator.v1-        | create,delete,patch         |
      |                | rbac.authorization.k8s.io/clusterroles              | lantern-operator.v1-        | create,delete,patch         |
      |                | rbac.authorization.k8s.io/clusterroles              | lantern-operator.v1-        | create,delete,patch         |
      | lantern-system | apps/deployments                                    | lantern-controller          | create,delete,patch         |
      | lantern-system | serviceaccounts                                     | lantern-controller          | create,delete,patch         |
    And "Installed" is False, Failed:
      """
      No bundle installed
      """
    And nothing was written as the account "lantern-installer"
    And the neighbour is undisturbed
    When the account "lantern-installer" gets the rights of installer.yaml
    Then version 1.0.1 is installed within 10 seconds

  Scenario: Rights that are taken away do not touch what is installed
    Given the account "lantern-installer" has the rights of installer.yaml
    When I apply a ClusterExtension server-side with
      | packageName | lantern-operator |
      | version     | ~1.0             |
    Then version 1.0.1 is installed
    Given the account "lantern-installer" has no rights
    When I apply a ClusterExtension server-side with
      | packageName | lantern-operator |
      | version     | 1.x              |
    Then "Progressing" is True, Retrying, with one line for each missing right
      |                | apiextensions.k8s.io/customresourcedefinitions      | lanterns.lights.example.com | create,delete,patch         |
      |                | configmaps                                          |                             | get,list,watch              |
      |                | coordination.k8s.io/leases                          |                             | create,get,update           |
      |                | lights.example.com/lanterns                         |                             | get,list,patch,update,watch |
      |                | lights.example.com/lanterns/status                  |                             | get,list,patch,update,watch |
      |                | namespaces                                          |                             | get,list,watch              |
      |                | rbac.authorization.k8s.io/clusterrolebindings       | lantern-operator.v1-        | create,delete,patch         |
      |                | rbac.authorization.k8s.io/clusterrolebindings       | lantern-operator.v1-        | create,delete,patch         |
      |                | rbac.authorization.k8s.io/clusterroles              | lantern-operator.v1-        | create,delete,patch         |
      |                | rbac.authorization.k8s.io/clusterroles              | lantern-operator.v1-        | create,delete,patch         |
      | lantern-system | apps/deployments                                    | lantern-controller          | create,delete,patch         |
      | lantern-system | serviceaccounts                                     | lantern-controller          | create,delete,patch         |
      | lantern-system | services                                            | lantern-metrics             | create,delete,patch         |
    And "Installed" is True, Succeeded:
      """
      Installed bundle registry.example.com/lights/lantern-operator-bundle:v1.0.1 successfully
      """
    And "Available" is True, ProbesSucceeded:
      """
      Objects are available and pass all probes.
      """
    When the account "lantern-installer" gets the rights of installer.yaml
    Then version 1.2.0 is installed within 10 seconds

  Scenario: An account must be named
    When I apply a ClusterExtension without an account
    Then "Progressing" is False, Blocked:
      """
      spec.serviceAccount.name is required: name a ServiceAccount in namespace "lantern-system" or start the controller with --unscoped-extensions=allow
      """
    And the neighbour is undisturbed
