/** The codes of svc-mcp that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /** boot: svc-mcp is registered inside of another plugin. Fix: register it on the server itself. */
  SVC_MCP_NOT_ROOT: true
  /** boot: a tool or a resource has no description. Fix: describe it, or give the route a `summary`. */
  SVC_MCP_DESCRIPTION: true
  /** boot: the name of a tool or prompt is not 1 to 64 letters, digits, `_` and `-`. Fix: name it. */
  SVC_MCP_NAME: true
  /** boot: two tools, two resources or two prompts have one name. Fix: rename one of them. */
  SVC_MCP_DUPLICATE: true
  /** boot: a route cannot be a tool or a resource, as it has no HTTP side, or takes a body that is no JSON. Fix: as the message says. */
  SVC_MCP_ROUTE: true
  /** boot: the zone of the endpoint takes credentials, and has no `audience`. Fix: give it the URL of the endpoint. */
  SVC_MCP_AUDIENCE: true
  /** boot: in production nothing says which hosts the endpoint has. Fix: set `hosts`, or the `audience` of its zone. */
  SVC_MCP_HOSTS: true
  /** boot: the folder of prompts is not there, or a file of it cannot be read. Fix: correct `prompts`. */
  SVC_MCP_PROMPTS: true
  /** log: in development, an answer of a tool does not match its schema. Fix: correct the route, or its response schema. */
  SVC_MCP_ANSWER: true
}
