/** Mistakes in guards: those that would deny every caller, check nothing, or contradict each other. Pure. */
import type { Problem } from 'svc-kernel'
import { FACTOR_NAMES, MAX_AGE_S, nearestName } from 'svc-kernel/plugin'
import type { GuardDeclaration } from '../declarations/declarations.ts'
import type { Conflict } from './class-access.ts'

/** @param label `Class` or `Class.method` that carries the guard */
export function guardProblems(label: string, guards: readonly GuardDeclaration[]): Problem[] {
  return guards.flatMap((guard) =>
    guard.kind === 'proof'
      ? proofProblems(label, guard)
      : [...emptyProblems(label, guard), ...scopeProblems(label, guard), ...optionProblems(label, guard)]
  )
}

export function conflictProblem(label: string, { mark, guard }: Conflict): Problem {
  return {
    code: 'SVC_GUARD_CONFLICT',
    message: `${label} is both ${mark.decorator} and ${guard.decorator}`,
    at: places(mark.source, guard.source),
    fix: 'remove one'
  }
}

/** @param parameters those of the route's full path */
export function subjectProblems(
  label: string,
  guards: readonly GuardDeclaration[],
  path: string,
  parameters: readonly string[]
): Problem[] {
  return guards.flatMap((guard) => {
    const { subject } = guard.options
    if (typeof subject !== 'string' || subject === '' || parameters.includes(subject)) return []
    const near = nearestName(subject, parameters)
    return [
      {
        code: 'SVC_GUARD_SUBJECT',
        message: `${label} has ${guard.decorator}, but ${path} has no parameter "${subject}"${near === undefined ? '' : ` (did you mean ${near}?)`}`,
        at: guard.source ?? undefined,
        expected: parameters.length === 0 ? 'a path with parameters' : parameters.join(' | '),
        fix: `put :${subject} in the path, or correct the subject`
      }
    ]
  })
}

/** An argument that no attribute can say left none. */
function proofProblems(label: string, { decorator, source, attributes }: GuardDeclaration): Problem[] {
  if (attributes.length > 0) return []
  return [
    {
      code: 'SVC_GUARD_PROOF',
      message: `${label} has ${decorator}, which asks for nothing that a proof can say`,
      at: source ?? undefined,
      expected: `@Fresh(seconds), 1 to ${MAX_AGE_S}, or @Factor(${FACTOR_NAMES.map((name) => `'${name}'`).join(' | ')})`,
      fix: "@Fresh(300), or @Factor('any')"
    }
  ]
}

function emptyProblems(label: string, guard: GuardDeclaration): Problem[] {
  const usable = guard.attributes.filter((attribute) => typeof attribute === 'string' && attribute.trim() !== '')
  if (usable.length > 0 && usable.length === guard.attributes.length) return []
  return [
    {
      code: 'SVC_GUARD_EMPTY',
      message:
        guard.attributes.length === 0
          ? `${label} has ${guard.decorator}: an empty OR refuses everyone`
          : `${label} has ${guard.decorator}: every attribute must be a text that is not empty`,
      at: guard.source ?? undefined,
      fix: 'name at least one role, scope or verb, or remove the guard'
    }
  ]
}

function scopeProblems(label: string, guard: GuardDeclaration): Problem[] {
  if (guard.kind !== 'scope') return []
  return guard.attributes
    .filter((scope) => typeof scope === 'string' && scope !== '' && (!scope.includes(':') || scope.startsWith('ROLE_')))
    .map((scope) => ({
      code: 'SVC_GUARD_SCOPE',
      message: `${label} has ${guard.decorator}: "${String(scope)}" is not a scope`,
      at: guard.source ?? undefined,
      expected: 'api:action',
      fix: `use @IsGranted('${String(scope)}') for a role or a verb`
    }))
}

function optionProblems(label: string, { decorator, options, source }: GuardDeclaration): Problem[] {
  const wrong = Object.keys(options).filter((key) => key !== 'subject')
  const { subject } = options
  if (wrong.length === 0 && (subject === undefined || (typeof subject === 'string' && subject !== ''))) return []
  return [
    {
      code: 'SVC_GUARD_SUBJECT',
      message: `${label} has ${decorator}: ${wrong.length > 0 ? `unknown option ${wrong.join(', ')}` : 'the subject is not a name'}`,
      at: source ?? undefined,
      expected: "{ subject: '<route parameter>' }",
      fix: "{ subject: 'id' }, for a route with :id"
    }
  ]
}

/** Both places, the same one once. */
export function places(...sources: ReadonlyArray<string | null>): string | undefined {
  const known = [...new Set(sources)].filter((source) => source !== null)
  return known.length === 0 ? undefined : known.join(' and ')
}
