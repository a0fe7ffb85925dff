/** A refusal as the caller sees it: the `error` member of a JSON-RPC answer. A value, not an exception. */
import { AuthenticationUnavailable } from 'svc-kernel'
import { RpcCode } from './codes.ts'

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

/** A limit of the connection, told as HTTP would tell it. */
export function tooMany(message: string): RpcFailure {
  return new RpcFailure(RpcCode.APPLICATION, message, { status: 429 })
}

/** Whether the identity still holds cannot be said now. */
export function identityUnavailable(): RpcFailure {
  const { message, statusCode, code } = new AuthenticationUnavailable()
  return new RpcFailure(RpcCode.APPLICATION, message, { status: statusCode, code })
}

export function identityOver(): RpcFailure {
  return new RpcFailure(RpcCode.UNAUTHORISED, 'the identity of this socket is over', { status: 401 })
}
