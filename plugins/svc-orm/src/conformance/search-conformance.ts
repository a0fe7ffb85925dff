/** The cases of `$search` and `$rank`, on tables of their own: a driver that has no search leaves them out. */
import type { ConformanceRunner } from 'svc-stores/conformance'
import type { ConformanceSubject } from './conformance-suite.ts'
import { searchCases, searchInTransactionCases } from './search-cases.ts'
import { emptySearched, openSearched } from './search-fixtures.ts'

export async function searchConformance(runner: ConformanceRunner, subject: ConformanceSubject): Promise<void> {
  const { transactions = true } = subject
  const context = await openSearched(subject)
  const cases = [searchCases, ...(transactions ? [searchInTransactionCases] : [])]
  try {
    for (const [name, body] of cases.flatMap((each) => Object.entries(each))) {
      await runner.test(`search: ${name}`, async () => {
        await emptySearched(context)
        await body(context)
      })
    }
  } finally {
    await subject.close?.(context.opened.database)
  }
}
