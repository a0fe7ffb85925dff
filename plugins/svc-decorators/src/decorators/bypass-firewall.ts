/** `@BypassFirewall`: the firewall does not look at the route. Written with or without parentheses. */
import { callSite } from '../declarations/call-site.ts'
import { type ClassOrMethod, onClassOrMethod } from '../declarations/declare.ts'

/**
 * Takes a route out of the firewall, for receivers that authenticate by signature.
 * Contradicts every guard: there would be no identity to judge.
 */
export function BypassFirewall(): ClassOrMethod
export function BypassFirewall(target: object, name?: string | symbol, descriptor?: PropertyDescriptor): void
export function BypassFirewall(target?: object, name?: string | symbol): ClassOrMethod | undefined {
  const mark = { decorator: '@BypassFirewall', source: callSite(BypassFirewall) }
  const apply: ClassOrMethod = (decorated, key) => {
    onClassOrMethod(mark, decorated, key, (declarations) => {
      declarations.bypassFirewall = mark
    })
  }
  if (target === undefined) return apply
  apply(target, name)
  return undefined
}
