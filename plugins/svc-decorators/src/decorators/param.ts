/** `@Param`: injects route parameters. */
import { callSite } from '../declarations/call-site.ts'
import type { ParameterOnly } from '../declarations/declare.ts'
import { declareParameter } from './declare-parameter.ts'

/**
 * Injects one decoded route parameter, or all of them.
 *
 * @param name a parameter of the path, checked at boot; absent for the whole object
 */
export function Param(name?: string): ParameterOnly {
  return declareParameter('param', { name }, 'Param', [name], callSite(Param))
}
