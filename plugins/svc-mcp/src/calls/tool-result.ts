/** What a route answered, as the result of a tool. Pure. */
import { UnreadableAnswer } from '../errors.ts'
import type { Tool } from '../tools/tool.ts'
import type { RouteAnswer } from './dispatch.ts'

type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }

/** Of `tools/call`. */
export interface ToolResult {
  readonly content: readonly Content[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: true
  readonly _meta: Readonly<Record<string, unknown>>
  /** Of the SDK, which takes any further member. */
  readonly [key: string]: unknown
}

/** Status of the route's answer. */
export const STATUS = 'svc/status'
/** Code of a refusal or an error, such as `SVC_SEC_DENIED`. */
export const CODE = 'svc/code'

export function toolResult(
  { outputSchema, wraps }: Pick<Tool, 'outputSchema' | 'wraps'>,
  answer: RouteAnswer
): ToolResult {
  const { status, headers, body } = answer
  const type =
    String(headers['content-type'] ?? '')
      .split(';', 1)[0]
      ?.trim()
      .toLowerCase() ?? ''
  if (status >= 400) return errorResult(status, isJson(type) ? parsed(body.toString()) : body.toString())
  const _meta = { [STATUS]: status }
  if (body.length === 0) return { content: [], ...structured(outputSchema, wraps, null), _meta }
  if (isJson(type)) {
    const text = body.toString()
    const content = [{ type: 'text', text }] as const
    return outputSchema === null
      ? { content, _meta }
      : { content, ...structured(outputSchema, wraps, parsed(text)), _meta }
  }
  if (type.startsWith('text/')) return { content: [{ type: 'text', text: body.toString() }], _meta }
  if (type.startsWith('image/'))
    return { content: [{ type: 'image', data: Buffer.from(body as Buffer).toString('base64'), mimeType: type }], _meta }
  return failureResult(new UnreadableAnswer())
}

/** An error body of the house, told to the model as it is told to any caller. */
export function errorResult(status: number, body: unknown): ToolResult {
  const code = (body as { code?: unknown } | null)?.code
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? { statusCode: status })
  const _meta = { [STATUS]: status, ...(typeof code === 'string' ? { [CODE]: code } : {}) }
  return { content: [{ type: 'text', text }], isError: true, _meta }
}

/** @param error one of this package's, or of another with `statusCode` and `code` */
export function failureResult(error: unknown): ToolResult {
  const {
    statusCode = 500,
    code = 'SVC_INTERNAL',
    message
  } = error as { statusCode?: number; code?: string; message: string }
  return errorResult(statusCode, { statusCode, code, message: statusCode >= 500 ? 'the tool failed' : message })
}

function structured(
  outputSchema: Tool['outputSchema'],
  wraps: boolean,
  value: unknown
): Pick<ToolResult, 'structuredContent'> {
  if (outputSchema === null) return {}
  if (wraps) return { structuredContent: { result: value } }
  return typeof value === 'object' && value !== null ? { structuredContent: value as Record<string, unknown> } : {}
}

function isJson(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
