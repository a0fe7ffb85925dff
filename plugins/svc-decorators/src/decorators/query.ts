/** `@Query`: injects the query string. */
import { callSite } from '../declarations/call-site.ts'
import type { ParameterOnly } from '../declarations/declare.ts'
import { declareParameter } from './declare-parameter.ts'

/**
 * Injects one value of the query string, or all of it. On WEBSOCKET that of the upgrade request.
 *
 * @param name absent for the whole object
 */
export function Query(name?: string): ParameterOnly {
  return declareParameter('query', { name }, 'Query', [name], callSite(Query))
}
