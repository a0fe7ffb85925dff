/** A warning is one WARN line with the fields of a problem. */
import type { FastifyBaseLogger } from 'fastify'
import t from 'tap'
import { warnProblem } from '../../src/problems/problem.ts'

t.test('fields and message', async (t) => {
  const lines: unknown[] = []
  const log = { warn: (...line: unknown[]) => lines.push(line) } as unknown as FastifyBaseLogger
  warnProblem(log, { code: 'SVC_ZONE_ORDER', message: 'it is never tried', at: 'areas.api', fix: 'move it last' })
  t.same(lines, [[{ code: 'SVC_ZONE_ORDER', at: 'areas.api', fix: 'move it last' }, 'it is never tried']])
})
