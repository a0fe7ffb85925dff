/** Decorators of access, on a method or a class: guards, and the two ways around them. */
import type { FactorName, RequiredProof } from 'svc-kernel'
import { proofAttributes } from 'svc-kernel/plugin'
import { callSite, showCall } from '../declarations/call-site.ts'
import type { GuardDeclaration, MarkDeclaration } from '../declarations/declarations.ts'
import { type ClassOrMethod, onClassOrMethod } from '../declarations/declare.ts'

/**
 * Guards a method or a class. Stacked guards, and those of class and method, are one AND.
 *
 * @param attributes a role, a scope or a business verb; of a list, one granted attribute suffices (OR)
 * @param options `subject` names the route parameter whose value the voters get
 */
export function IsGranted(attributes: string | readonly string[], options: { subject?: string } = {}): ClassOrMethod {
  return declareGuard({
    decorator: showCall('IsGranted', [attributes, options.subject === undefined ? undefined : options]),
    source: callSite(IsGranted),
    kind: 'attribute',
    attributes: Array.isArray(attributes) ? attributes : [attributes],
    options
  })
}

/**
 * Asks a machine token for a scope; a person's own login is never narrowed by it. Merged with `@IsGranted` into one
 * requirement.
 *
 * @param scopes `api:action`; of a list, one suffices (OR)
 */
export function RequireScope(scopes: string | readonly string[]): ClassOrMethod {
  return declareGuard({
    decorator: showCall('RequireScope', [scopes]),
    source: callSite(RequireScope),
    kind: 'scope',
    attributes: Array.isArray(scopes) ? scopes : [scopes],
    options: {}
  })
}

/** What `@Fresh` and `@Factor` may say besides. */
export interface ProofSettings {
  /** `true` admits API keys and other machines, which no person stands behind; else they are answered 403. */
  machines?: boolean
}

/**
 * Asks for a recent proof: the last login or confirmation of the caller is at most this old. A caller whose proof is older
 * is answered with what to confirm, and may then go on. Merged with the other guards into one requirement.
 *
 * @param maxAgeS seconds, 1 to 31 536 000; of a job, measured when it was added
 */
export function Fresh(maxAgeS: number, options: ProofSettings = {}): ClassOrMethod {
  return declareProof(showCall('Fresh', [maxAgeS, shownOptions(options)]), callSite(Fresh), { ...options, maxAgeS })
}

/**
 * Asks for a second factor: a one-time code, a passkey, or any. Merged with the other guards into one requirement.
 *
 * @param factor `any`: a code, a recovery code or a passkey
 */
export function Factor(factor: FactorName = 'any', options: ProofSettings = {}): ClassOrMethod {
  return declareProof(showCall('Factor', [factor, shownOptions(options)]), callSite(Factor), { ...options, factor })
}

/**
 * Makes a method public: class guards are overridden and authentication is skipped. On a class it holds for the
 * methods that carry no guard of their own. Written with or without parentheses.
 */
export function Anonymous(): ClassOrMethod
export function Anonymous(target: object, name?: string | symbol, descriptor?: PropertyDescriptor): void
export function Anonymous(target?: object, name?: string | symbol): ClassOrMethod | undefined {
  return declareMark('anonymous', { decorator: '@Anonymous', source: callSite(Anonymous) }, target, name)
}

/**
 * Excludes a route from the firewall, for receivers that authenticate by signature. Contradicts every guard: there is
 * no identity to decide on. Written with or without parentheses.
 */
export function BypassFirewall(): ClassOrMethod
export function BypassFirewall(target: object, name?: string | symbol, descriptor?: PropertyDescriptor): void
export function BypassFirewall(target?: object, name?: string | symbol): ClassOrMethod | undefined {
  return declareMark('bypassFirewall', { decorator: '@BypassFirewall', source: callSite(BypassFirewall) }, target, name)
}

function shownOptions(options: ProofSettings): ProofSettings | undefined {
  return Object.keys(options).length === 0 ? undefined : options
}

/** What no attribute can say is reported with the other mistakes of the class. */
function declareProof(decorator: string, source: string | null, required: RequiredProof): ClassOrMethod {
  return declareGuard({ decorator, source, kind: 'proof', attributes: attributesOf(required), options: {} })
}

function attributesOf(required: RequiredProof): readonly unknown[] {
  try {
    return proofAttributes(required)
  } catch {
    return []
  }
}

function declareGuard(guard: GuardDeclaration): ClassOrMethod {
  return (target, name) => {
    onClassOrMethod(guard, target, name, ({ guards }) => {
      guards.unshift(guard)
    })
  }
}

/** Without a target it was written with parentheses: the decorator is what it returns. */
function declareMark(
  kind: 'anonymous' | 'bypassFirewall',
  mark: MarkDeclaration,
  target: object | undefined,
  name: string | symbol | undefined
): ClassOrMethod | undefined {
  const apply: ClassOrMethod = (decorated, key) => {
    onClassOrMethod(mark, decorated, key, (declarations) => {
      declarations[kind] = mark
    })
  }
  if (target === undefined) return apply
  apply(target, name)
  return undefined
}
