/** The Node version an application needs. */
import type { Problem } from '../problems/problem.ts'

const NEEDED = 24

/** @param version such as `process.versions.node` */
export function nodeVersionProblem(version: string): Problem | null {
  const major = Number.parseInt(version, 10)
  if (major >= NEEDED) return null
  return {
    code: 'SVC_NODE_VERSION',
    message: `needs Node >= ${NEEDED}, running ${version}`,
    got: version,
    expected: `>= ${NEEDED}`,
    fix: `install Node ${NEEDED}`
  }
}
