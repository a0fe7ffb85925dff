/** `@Ctx`: injects the exchange itself. */
import { callSite } from '../declarations/call-site.ts'
import type { ParameterOnly } from '../declarations/declare.ts'
import { declareParameter } from './declare-parameter.ts'

/**
 * Injects `{transport, request, reply}` on HTTP, `{transport, request, socket, message}` on WEBSOCKET.
 */
export function Ctx(): ParameterOnly {
  return declareParameter('context', {}, 'Ctx', [], callSite(Ctx))
}
