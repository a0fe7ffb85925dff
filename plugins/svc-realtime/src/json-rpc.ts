/** JSON-RPC 2.0 over the socket: codes, failures, reading a frame and writing one. Pure. */
import { AuthenticationUnavailable, errorBody } from 'svc-kernel'
import { SERVICE_RESTART } from 'svc-kernel/plugin'

/** Error codes. The first five are those of JSON-RPC 2.0 itself (section 5.1); the others are ours. */
export const RpcCode = Object.freeze({
  PARSE: -32700,
  INVALID_REQUEST: -32600,
  UNKNOWN_METHOD: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL: -32603,
  /** The route, or a limit, answered so: `data.status` says with which status. */
  APPLICATION: -32000,
  UNAUTHORISED: -32001,
  FORBIDDEN: -32003
})

export type RpcCode = (typeof RpcCode)[keyof typeof RpcCode]

/** Close codes of a socket (RFC 6455, 7.4); `IDENTITY_OVER` (4001) is the kernel's, as other sockets end with it too. */
export const CloseCode = Object.freeze({
  POLICY_VIOLATION: 1008,
  TOO_BIG: 1009,
  SERVICE_RESTART,
  TRY_AGAIN_LATER: 1013
})

/** A refusal as the caller sees it: the `error` member of a JSON-RPC answer. A value, not an exception. */
export class RpcFailure {
  readonly code: RpcCode
  readonly message: string
  readonly data: Readonly<Record<string, unknown>> | undefined

  constructor(code: RpcCode, message: string, data?: Readonly<Record<string, unknown>>) {
    this.code = code
    this.message = message
    this.data = data
  }
}

export function invalidParams(message: string): RpcFailure {
  return new RpcFailure(RpcCode.INVALID_PARAMS, message)
}

export function internalFailure(): RpcFailure {
  return new RpcFailure(RpcCode.INTERNAL, 'internal error')
}

/** A limit of the connection, with the status that HTTP has for it. */
export function tooMany(message: string): RpcFailure {
  return new RpcFailure(RpcCode.APPLICATION, message, { status: 429 })
}

/** Whether the identity still holds cannot be said now. */
export function identityUnavailable(): RpcFailure {
  const { message, statusCode, code } = new AuthenticationUnavailable()
  return new RpcFailure(RpcCode.APPLICATION, message, { status: statusCode, code })
}

export function identityOver(): RpcFailure {
  return new RpcFailure(RpcCode.UNAUTHORISED, 'the identity of this socket has ended', { status: 401 })
}

export type RpcId = string | number | null

export interface RpcRequest {
  /** `undefined` on a notification, which is never answered. */
  readonly id: RpcId | undefined
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

export interface UnreadableFrame {
  /** The request's id where it could be read, else `null`. */
  readonly id: RpcId
  readonly failure: RpcFailure
}

const MAX_ID_LENGTH = 255

/**
 * Reads one text frame as a request. Never throws, whatever was sent; what cannot be read becomes the failure to answer
 * with. One request per frame: batches are refused.
 */
export function readFrame(text: string): RpcRequest | UnreadableFrame {
  let frame: unknown
  try {
    frame = JSON.parse(text)
  } catch {
    return { id: null, failure: new RpcFailure(RpcCode.PARSE, 'the frame is not valid JSON') }
  }
  if (Array.isArray(frame)) return unreadable(null, 'batches are not supported: send one request per frame')
  if (!isObject(frame)) return unreadable(null, 'the frame is not a JSON-RPC 2.0 request object')
  const { jsonrpc, id, method, params = {} } = frame
  if (id !== undefined && !isId(id)) return unreadable(null, 'id must be a text of up to 255 characters, or a number')
  if (jsonrpc !== '2.0') return unreadable(id ?? null, 'jsonrpc must be "2.0"')
  if (typeof method !== 'string') return unreadable(id ?? null, 'method must be a text')
  if (!isObject(params)) return { id: id ?? null, failure: invalidParams('params must be an object') }
  return { id, method, params }
}

function unreadable(id: RpcId, message: string): UnreadableFrame {
  return { id, failure: new RpcFailure(RpcCode.INVALID_REQUEST, message) }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isId(id: unknown): id is RpcId {
  if (typeof id === 'string') return id.length <= MAX_ID_LENGTH
  return id === null || (typeof id === 'number' && Number.isFinite(id))
}

/** An error of the server as JSON-RPC carries it. @param production hides the text of a fault */
export function failureFor(error: unknown, production: boolean): RpcFailure {
  const { statusCode: status, code, message, error: _, ...more } = errorBody(error, production)
  const data = { status, code, ...more }
  return new RpcFailure(status === 500 ? RpcCode.INTERNAL : RpcCode.APPLICATION, message, data)
}

export function resultFrame(id: RpcId, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result })
}

export function failureFrame(id: RpcId, { code, message, data }: RpcFailure): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } })
}

export function notificationFrame(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params })
}

/** Written once for all subscribers. @param data JSON text */
export function messageFrame(channel: string, data: string): Buffer {
  const name = JSON.stringify(channel)
  return Buffer.from(`{"jsonrpc":"2.0","method":"channel.message","params":{"channel":${name},"data":${data}}}`)
}
