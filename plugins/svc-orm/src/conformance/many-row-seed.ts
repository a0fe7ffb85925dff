/** Rows for the cases of many rows, and how such a call is refused. */
import assert from 'node:assert/strict'
import type { AnyRow } from '../entities/row-of.ts'
import type { RowProblem } from '../errors.ts'
import type { Repository } from '../repository/repository.ts'
import { type CaseContext, column } from './conformance-suite.ts'

/** Nothing is written, and each of these rows has its problem. */
export async function refusedRows(
  call: () => Promise<unknown>,
  statusCode: number,
  expected: readonly (readonly [index: number, code: string])[]
): Promise<void> {
  await assert.rejects(call, (error: { code?: unknown; statusCode?: unknown; problems?: readonly RowProblem[] }) => {
    assert.deepEqual([error.code, error.statusCode], ['SVC_ORM_ROWS', statusCode])
    assert.deepEqual(
      error.problems?.map(({ index, code }) => [index, code]),
      expected
    )
    return true
  })
}

const BY_CODE = { order: [['code', 'ASC']] } as const

/** The things by their code. */
export const coded = async (things: Repository, field: string) => column(await things.find({}, BY_CODE), field)

export async function seed({ things }: CaseContext): Promise<readonly [AnyRow, AnyRow, AnyRow]> {
  const rows = await things.createMany([
    { code: 'a', count: 1, amount: '1.50', tags: ['x'] },
    { code: 'b', count: 2 },
    { code: 'c', count: 3, label: 'kept' }
  ])
  return rows as unknown as readonly [AnyRow, AnyRow, AnyRow]
}

export const UPDATE = { on: ['code'], update: true } as const
