/**
 * The published suite: `svc-orm/conformance`. Every driver runs it; whatever
 * passes may take the place of the memory driver.
 */
import type { ConformanceRunner } from 'svc-stores/conformance'
import { arithmeticCases, boundedUpdateCases } from './arithmetic-cases.ts'
import { changeCases } from './change-cases.ts'
import { type ConformanceSubject, runCases } from './conformance-suite.ts'
import { criteriaCases } from './criteria-cases.ts'
import { deletedReferenceCases } from './deleted-reference-cases.ts'
import { fieldComparisonCases } from './field-comparison-cases.ts'
import { formCases } from './form-cases.ts'
import { groupingCases } from './grouping-cases.ts'
import { inclusionCases } from './inclusion-cases.ts'
import { foldedCases, indexCases } from './index-cases.ts'
import { isolationCases, unseenValueCases } from './isolation-cases.ts'
import { deletedCases, hookCases, versionCases } from './life-cases.ts'
import { likeCases } from './like-cases.ts'
import { lockCases } from './lock-cases.ts'
import { measureCases } from './measure-cases.ts'
import { measuredCases } from './measured-cases.ts'
import { lockInTransactionCases, namedLockCases } from './named-lock-cases.ts'
import { orderCases } from './order-cases.ts'
import { pairCases, pairInTransactionCases } from './pair-cases.ts'
import { pathCases } from './path-cases.ts'
import { referenceCases } from './reference-cases.ts'
import { referenceInTransactionCases } from './reference-transaction-cases.ts'
import { relatedCriteriaCases, relatedInTransactionCases } from './related-criteria-cases.ts'
import { relatedGroupingCases } from './related-grouping-cases.ts'
import { relatedOrderCases, relatedOrderInTransactionCases } from './related-order-cases.ts'
import { relatedReadingCases } from './related-reading-cases.ts'
import { relationCases } from './relation-cases.ts'
import { runningCases } from './running-cases.ts'
import { savepointCases } from './savepoint-cases.ts'
import { scopeConformance } from './scope-conformance.ts'
import { searchConformance } from './search-conformance.ts'
import { timeCases } from './time-cases.ts'
import { transactionCases } from './transaction-cases.ts'
import { treeCases, treeInTransactionCases } from './tree-cases.ts'
import { uniqueCases } from './unique-cases.ts'
import { updateEachCases } from './update-each-cases.ts'
import { upsertCases, upsertInTransactionCases } from './upsert-cases.ts'
import { upsertManyCases } from './upsert-many-cases.ts'
import { valueCases } from './value-cases.ts'
import { walkingCases } from './walking-cases.ts'
import { writingCases } from './writing-cases.ts'

/** Runs every case on one connector. */
export async function ormConformance(runner: ConformanceRunner, subject: ConformanceSubject): Promise<void> {
  const { transactions = true, unseenValues = true, savepoints = true } = subject
  const cases = [
    writingCases,
    valueCases,
    formCases,
    criteriaCases,
    fieldComparisonCases,
    pathCases,
    likeCases,
    orderCases,
    uniqueCases,
    indexCases,
    foldedCases,
    changeCases,
    arithmeticCases,
    upsertCases,
    relationCases,
    pairCases,
    referenceCases,
    deletedReferenceCases,
    inclusionCases,
    relatedReadingCases,
    relatedOrderCases,
    groupingCases,
    relatedGroupingCases,
    runningCases,
    timeCases,
    measureCases,
    walkingCases,
    relatedCriteriaCases,
    measuredCases,
    deletedCases,
    versionCases,
    treeCases,
    namedLockCases,
    ...(transactions
      ? [
          ...[transactionCases, isolationCases, lockCases, lockInTransactionCases, hookCases],
          ...[relatedInTransactionCases, relatedOrderInTransactionCases, referenceInTransactionCases],
          boundedUpdateCases,
          treeInTransactionCases,
          pairInTransactionCases,
          updateEachCases,
          upsertManyCases,
          upsertInTransactionCases
        ]
      : []),
    ...(transactions && unseenValues ? [unseenValueCases] : []),
    ...(savepoints ? [savepointCases] : [])
  ]
  await runCases(runner, cases, subject)
  await scopeConformance(runner, subject)
  if (subject.search !== false) await searchConformance(runner, subject)
}

export type { ConformanceRunner } from 'svc-stores/conformance'
export type { ConformanceSubject } from './conformance-suite.ts'
export { type FieldTypeSubject, fieldTypeConformance } from './field-type-conformance.ts'
export { conformanceEntities } from './fixtures.ts'
export { scopeConformance } from './scope-conformance.ts'
export { scopedEntities } from './scope-fixtures.ts'
export { STRANGE_NAMES, STRANGE_TEXTS, UNSTORABLE_TEXTS } from './strange-texts.ts'
