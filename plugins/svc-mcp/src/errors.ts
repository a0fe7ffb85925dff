/** Every error that svc-mcp raises. A published code never changes. */
import { expectedError } from 'svc-kernel/plugin'

/** 404: no tool, resource or prompt has this name. Fix: list them, and call one of those. */
export const UnknownTool = expectedError<[name: string]>('SVC_MCP_UNKNOWN', 'there is no tool %s', 404)

/** 400: the arguments of a tool are not those of its `inputSchema`. Fix: correct what the message names. */
export const InvalidArguments = expectedError<[fault: string]>(
  'SVC_MCP_ARGUMENTS',
  'the arguments are not valid: %s',
  400
)

/** 404: with these arguments, the path of the tool is that of another route. Fix: pass other arguments. */
export const OtherRoute = expectedError('SVC_MCP_OTHER_ROUTE', 'these arguments lead to another route', 404)

/** 406: the answer of a tool is neither JSON, nor text, nor an image. Fix: request the route over HTTP. */
export const UnreadableAnswer = expectedError(
  'SVC_MCP_BYTES',
  'the route answers with bytes; request it over HTTP',
  406
)

/** 413: the answer of a tool is larger than `maxAnswerBytes`. Fix: ask for less, such as a smaller page. */
export const AnswerTooLarge = expectedError('SVC_MCP_TOO_LARGE', 'the answer is too large for a tool', 413)

/** 504: a tool did not answer in `callTimeoutMs`. Fix: make it faster, or raise the limit. */
export const CallTimeout = expectedError('SVC_MCP_TIMEOUT', 'the tool did not answer in time', 504)

/** 403: the request names another host, or comes from a page of another origin. Fix: add it to `hosts` or `origins`. */
export const ForeignHost = expectedError<[part: string]>('SVC_MCP_HOST', 'the %s of the request is not allowed', 403)
