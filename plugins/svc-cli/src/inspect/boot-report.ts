/** What a boot says of itself: the warnings in its log, and where each store keeps its records. */
import type { FastifyInstance } from 'fastify'
import type { Problem } from 'svc-kernel'

/** @returns takes lines of the log, as JSON, and adds what they warn of */
export function warningReader(problems: Problem[]): (line: string) => void {
  return (line) => {
    const problem = readProblem(line)
    if (problem !== null) problems.push(problem)
  }
}

function readProblem(line: string): Problem | null {
  try {
    const { code = 'SVC_WARNING', msg, at, got, expected, fix, more } = JSON.parse(line) as Record<string, string>
    return { code, message: msg ?? '', at, got, expected, fix, more }
  } catch {
    return null
  }
}

/** Driver by brick; `null` where it is disabled. */
export function storesOf(fastify: FastifyInstance): Record<string, string | null> {
  if (!fastify.hasDecorator('stores')) return {}
  const { stores } = fastify as unknown as { stores: { selections: ReadonlyMap<string, string | null> } }
  return Object.fromEntries(stores.selections)
}
