/**
 * The common call of a tool, read and answered without the machinery of the protocol: that costs more than the route. What is
 * not exactly in this form, in either generation of the protocol, is left to the reference implementation, with its errors.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { ToolResult } from '../calls/tool-result.ts'

export interface DirectCall {
  readonly id: string | number
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** As the client says of itself; `undefined` in the older generation, which says it once. */
  readonly clientInfo: unknown
  readonly isModern: boolean
}

const OLDER = new Set([undefined, '2025-03-26', '2025-06-18', '2025-11-25'])
const MODERN = '2026-07-28'
const META = 'io.modelcontextprotocol/'
const MESSAGE = new Set(['jsonrpc', 'id', 'method', 'params'])
const PARAMS = new Set(['name', 'arguments', '_meta'])
const VERSION = 'mcp-protocol-version'

type Fields = Readonly<Record<string, unknown>>

/** @returns `null` for anything but a plain `tools/call` */
export function directCall(body: unknown, headers: IncomingHttpHeaders): DirectCall | null {
  if (!isObject(body) || body.jsonrpc !== '2.0' || body.method !== 'tools/call' || !only(body, MESSAGE)) return null
  const { id, params } = body
  if ((typeof id !== 'string' && !Number.isSafeInteger(id)) || !isObject(params) || !only(params, PARAMS)) return null
  const { name, arguments: args = {}, _meta: meta = {} } = params
  if (typeof name !== 'string' || !isObject(args) || !isObject(meta)) return null
  const accept = headers.accept ?? ''
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return null
  const call = { id: id as string | number, name, args }
  const version = headers[VERSION]
  if (meta[`${META}protocolVersion`] === undefined) {
    const isOlder = OLDER.has(version as string | undefined) && headers['mcp-method'] === undefined
    return isOlder && Object.keys(meta).every((key) => key === 'progressToken')
      ? { ...call, clientInfo: undefined, isModern: false }
      : null
  }
  const clientInfo = meta[`${META}clientInfo`]
  const agrees =
    meta[`${META}protocolVersion`] === MODERN &&
    version === MODERN &&
    headers['mcp-method'] === 'tools/call' &&
    headers['mcp-name'] === name &&
    isObject(meta[`${META}clientCapabilities`]) &&
    isObject(clientInfo) &&
    typeof clientInfo.name === 'string' &&
    typeof clientInfo.version === 'string'
  return agrees ? { ...call, clientInfo, isModern: true } : null
}

/** @param server as it names itself, for the newer generation */
export function directAnswer({ id, isModern }: DirectCall, result: ToolResult, server: Fields): string {
  const whole = isModern
    ? { ...result, resultType: 'complete', _meta: { ...result._meta, [`${META}serverInfo`]: server } }
    : result
  return JSON.stringify({ jsonrpc: '2.0', id, result: whole })
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function only(value: Fields, keys: ReadonlySet<string>): boolean {
  for (const key in value) if (!keys.has(key)) return false
  return true
}
