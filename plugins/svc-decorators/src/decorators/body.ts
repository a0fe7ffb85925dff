/** `@Body`: injects the request body, or the JSON of a WebSocket message. */
import { callSite } from '../declarations/call-site.ts'
import type { ParameterOnly } from '../declarations/declare.ts'
import { declareParameter } from './declare-parameter.ts'

/**
 * Injects the parsed and validated body.
 *
 * @param options `stream: true` gives the raw bytes as a readable stream instead, whatever the content
 * type, bounded by `bodyLimit`; for receivers that verify a signature. HTTP only.
 */
export function Body(options: { stream?: boolean } = {}): ParameterOnly {
  return declareParameter(
    'body',
    { stream: options.stream === true },
    'Body',
    [options.stream === undefined ? undefined : options],
    callSite(Body)
  )
}
