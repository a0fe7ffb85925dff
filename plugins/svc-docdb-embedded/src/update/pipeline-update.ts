/** Updates by a pipeline: `[{ $set: { a: <expression> } }]` over fields at the top, with exact expressions. */
import { type Expression, exactExpression } from '../aggregation/exact-expression.ts'
import { notImplemented } from '../failure/command-error.ts'
import { type Document, firstName, isDocument, type Value } from '../values/value.ts'

export interface PipelineUpdate {
  readonly kind: 'pipeline'
  readonly stages: readonly (readonly (readonly [name: string, value: Expression])[])[]
}

/** @throws CommandError 238 for what is not here */
export function parsePipelineUpdate(pipeline: readonly Value[]): PipelineUpdate {
  return { kind: 'pipeline', stages: pipeline.map(parseStage) }
}

/** The fields of a stage are computed from the document before it. */
export function computedDocument(document: Document, { stages }: PipelineUpdate): Document {
  return stages.reduce((before, fields) => {
    const computed = new Map(before)
    for (const [name, value] of fields) {
      const after = value(before)
      if (after === undefined) computed.delete(name)
      else computed.set(name, after)
    }
    return computed
  }, document)
}

function parseStage(stage: Value): readonly (readonly [string, Expression])[] {
  const fields = isDocument(stage) && stage.size === 1 && firstName(stage) === '$set' ? stage.get('$set') : null
  if (!isDocument(fields)) throw notImplemented('an update by a pipeline with a stage other than $set')
  return [...fields].map(([name, operand]) => {
    const value = name.includes('.') ? null : exactExpression(operand)
    if (value === null) throw notImplemented(`an update by a pipeline that computes ${name}`)
    return [name, value]
  })
}
