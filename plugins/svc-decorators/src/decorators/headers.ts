/** `@Headers`: injects request headers. */
import { callSite } from '../declarations/call-site.ts'
import type { ParameterOnly } from '../declarations/declare.ts'
import { declareParameter } from './declare-parameter.ts'

/**
 * Injects one header, or all of them. On WEBSOCKET those of the upgrade request.
 *
 * @param name in any case; absent for the whole object, whose keys are lower case
 */
export function Headers(name?: string): ParameterOnly {
  return declareParameter('headers', { name: name?.toLowerCase() }, 'Headers', [name], callSite(Headers))
}
