/** The cases of scopes, on tables of their own: where an entity has a scope, all tables of its connector are seen by it. */
import type { ConformanceRunner } from 'svc-stores/conformance'
import type { ConformanceSubject } from './conformance-suite.ts'
import { emptyScoped, openScoped } from './scope-fixtures.ts'
import { scopeManyCases } from './scope-many-cases.ts'
import { scopeReadingCases } from './scope-reading-cases.ts'
import { scopeReferenceCases, scopeReferenceTransactionCases } from './scope-reference-cases.ts'
import { scopeTransactionCases, scopeWritingCases } from './scope-writing-cases.ts'

export async function scopeConformance(runner: ConformanceRunner, subject: ConformanceSubject): Promise<void> {
  const { transactions = true } = subject
  const context = await openScoped(subject)
  const inTransactions = transactions ? [scopeTransactionCases, scopeReferenceTransactionCases, scopeManyCases] : []
  const cases = [scopeReadingCases, scopeWritingCases, scopeReferenceCases, ...inTransactions]
  try {
    for (const [name, body] of cases.flatMap((each) => Object.entries(each))) {
      await runner.test(`scope: ${name}`, async () => {
        await emptyScoped(context)
        await body(context)
      })
    }
  } finally {
    await subject.close?.(context.opened.database)
  }
}
