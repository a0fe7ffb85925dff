/**
 * Reads one text frame as a JSON-RPC 2.0 request. Never throws, whatever was
 * sent; what cannot be read becomes the failure to answer with. One request per
 * frame: batches are refused.
 */
import { RpcCode } from './codes.ts'
import { invalidParams, RpcFailure } from './rpc-failure.ts'

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

export function readFrame(text: string): RpcRequest | UnreadableFrame {
  let frame: unknown
  try {
    frame = JSON.parse(text)
  } catch {
    return { id: null, failure: new RpcFailure(RpcCode.PARSE, 'the frame is not valid JSON') }
  }
  if (Array.isArray(frame)) return unreadable(null, 'batches are not taken: send one request per frame')
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
