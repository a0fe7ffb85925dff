/** Writes the frames that the server sends: results, failures and notifications of JSON-RPC 2.0. */
import type { RpcId } from './read-frame.ts'
import type { RpcFailure } from './rpc-failure.ts'

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
