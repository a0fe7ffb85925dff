/** `@CurrentUser`: injects who is calling. */
import { callSite } from '../declarations/call-site.ts'
import type { ParameterOnly } from '../declarations/declare.ts'
import { declareParameter } from './declare-parameter.ts'

/**
 * Injects the frozen `{identifier, roles}` of the caller: the anonymous user where nobody
 * proved anything, never `null` and never a credential.
 */
export function CurrentUser(): ParameterOnly {
  return declareParameter('user', {}, 'CurrentUser', [], callSite(CurrentUser))
}
