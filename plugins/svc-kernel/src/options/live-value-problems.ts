/** Functions and clients are not data: they cannot be checked, copied or frozen, so they come under `parts`. */
import type { Problem } from '../problems/problem.ts'
import { optionPath } from './option-path.ts'

export function liveValueProblems(plugin: string, options: object): Problem[] {
  const problems: Problem[] = []
  const seen = new Set<object>()
  const visit = (value: unknown, segments: readonly string[]): void => {
    if (isLive(value)) problems.push(liveValueProblem(plugin, segments))
    else if (typeof value === 'object' && value !== null && !seen.has(value)) {
      seen.add(value)
      for (const [key, child] of Object.entries(value)) visit(child, [...segments, key])
    }
  }
  visit(options, [])
  return problems
}

function liveValueProblem(plugin: string, segments: readonly string[]): Problem {
  return {
    code: 'SVC_KERNEL_OPTIONS',
    message: 'a live object is not an option',
    at: optionPath(plugin, segments),
    expected: 'plain data',
    fix: `pass it as parts.${segments.findLast((part) => !/^\d+$/.test(part)) ?? ''}`
  }
}

function isLive(value: unknown): boolean {
  if (typeof value === 'function' || typeof value === 'symbol') return true
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype !== null && Object.getPrototypeOf(prototype) !== null
}
