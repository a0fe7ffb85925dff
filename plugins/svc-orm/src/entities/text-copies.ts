/** Columns that hold what a text is compared by, its folded text or its words: they are written with its field. Pure. */
import { type ColumnPlan, fold, wordsText } from 'svc-stores/table'
import type { CompiledEntity } from './compiled-entity.ts'
import { foldedFields } from './folded-fields.ts'
import { wordsName } from './searched-fields.ts'

export interface TextCopy {
  readonly field: string
  /** The column. */
  readonly copy: string
  /** What it holds for a value of the field. */
  readonly make: (value: unknown) => string | null
}

export function textCopies(entity: CompiledEntity): readonly TextCopy[] {
  const folded = foldedFields(entity).map((each): TextCopy => ({ ...each, make: foldedText }))
  const searched = (entity.search ?? []).map(({ field }): TextCopy => {
    return { field, copy: wordsName(field), make: searchedText }
  })
  return [...folded, ...searched]
}

/** What a column holds for a value of the one that it copies. */
export function copiedText({ type }: ColumnPlan, value: unknown): string | null {
  return type === 'words' ? searchedText(value) : foldedText(value)
}

function foldedText(value: unknown): string | null {
  return typeof value === 'string' ? fold(value) : null
}

function searchedText(value: unknown): string | null {
  return typeof value === 'string' ? wordsText(value) : null
}
