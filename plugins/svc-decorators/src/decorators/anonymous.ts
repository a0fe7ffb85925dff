/** `@Anonymous`: the action is public. Written with or without parentheses. */
import { callSite } from '../declarations/call-site.ts'
import { type ClassOrMethod, onClassOrMethod } from '../declarations/declare.ts'

/**
 * Makes a method public: class guards are overridden and authentication is skipped.
 * On a class it holds for the methods that carry no guard of their own.
 */
export function Anonymous(): ClassOrMethod
export function Anonymous(target: object, name?: string | symbol, descriptor?: PropertyDescriptor): void
export function Anonymous(target?: object, name?: string | symbol): ClassOrMethod | undefined {
  const mark = { decorator: '@Anonymous', source: callSite(Anonymous) }
  const apply: ClassOrMethod = (decorated, key) => {
    onClassOrMethod(mark, decorated, key, (declarations) => {
      declarations.anonymous = mark
    })
  }
  if (target === undefined) return apply
  apply(target, name)
  return undefined
}
