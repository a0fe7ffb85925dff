/** Makes the error of a call: of what the server answered, or of why it did not. */
import { CallError } from '../errors.ts'

/** An error of the server from its body, whatever it is. */
export function errorOf(status: number, body: unknown, retryAfter?: string | null): CallError {
  const data = typeof body === 'object' && body !== null ? (body as CallError['data']) : {}
  const { code, message } = data
  const text = typeof message === 'string' ? message : `the server answered ${status}`
  return new CallError(typeof code === 'string' ? code : 'SVC_CLIENT_STATUS', text, status, data, retryAfter)
}

/** Why a request got no answer. */
export function failureOf(error: unknown, signal: AbortSignal | undefined, expired: boolean): CallError {
  if (error instanceof CallError) return error
  const failure = expired
    ? new CallError('SVC_CLIENT_TIMEOUT', 'the server did not answer in time')
    : signal?.aborted
      ? new CallError('SVC_CLIENT_ABORTED', 'the call was aborted')
      : new CallError('SVC_CLIENT_NETWORK', `the server cannot be reached: ${(error as Error)?.message}`)
  failure.cause = error
  return failure
}

export function closedError(message = 'the socket is closed'): CallError {
  return new CallError('SVC_CLIENT_CLOSED', message)
}

/** The answer to a plain request where a socket would open: it is not what refused the socket. */
const UPGRADE_REQUIRED = 426

/**
 * Why a socket did not open, which a WebSocket does not tell: a plain request to its path meets the same firewall, guard
 * and limits. @param ask makes it, and gives the response where it has no error
 */
export async function refusalOf(ask: () => Promise<unknown>): Promise<CallError> {
  const unknown = closedError('the socket did not open')
  try {
    await ((await ask()) as Response).body?.cancel()
  } catch (error) {
    const { status } = error as CallError
    if (status >= 400 && status !== UPGRADE_REQUIRED) return error as CallError
    unknown.cause = error
  }
  return unknown
}
