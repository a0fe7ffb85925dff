/** `@Message`: injects the WebSocket message. */
import { callSite } from '../declarations/call-site.ts'
import type { ParameterOnly } from '../declarations/declare.ts'
import { declareParameter } from './declare-parameter.ts'

/**
 * Injects the text of the message; `undefined` where the same method answers HTTP.
 *
 * @param options `binary: true` injects a Buffer and takes binary frames too, which are refused otherwise
 */
export function Message(options: { binary?: boolean } = {}): ParameterOnly {
  return declareParameter(
    'message',
    { binary: options.binary === true },
    'Message',
    [options.binary === undefined ? undefined : options],
    callSite(Message)
  )
}
