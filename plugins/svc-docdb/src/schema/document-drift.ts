/**
 * How the documents and indexes of a collection differ from a plan. Of the documents a sample is read, the oldest and
 * the newest: it tells what is there, never that nothing else is.
 */
import type { Collection, Db, Document, IndexDescription, IndexDescriptionInfo } from 'mongodb'
import mongoose from 'mongoose'
import type { Difference } from 'svc-orm/driver'
import type { ColumnPlan, TablePlan } from 'svc-stores/table'
import { fieldOf } from './collection-indexes.ts'
import { DOCUMENT_TYPES } from './document-types.ts'

/** Documents of each end that are read. */
const SAMPLE = 50

const NO_SUCH_COLLECTION = 26

/** At most one per column, and one per index. @param declared the indexes that the collection is to have */
export async function documentDrift(
  collection: Collection,
  plan: TablePlan,
  declared: readonly IndexDescription[]
): Promise<Difference[]> {
  const end = (direction: 1 | -1) => collection.find({}).sort({ _id: direction }).limit(SAMPLE).toArray()
  const [oldest, newest, indexes] = await Promise.all([end(1), end(-1), indexesOf(collection)])
  const sample = new Map([...oldest, ...newest].map((document) => [String(document._id), document]))
  return [
    ...plan.columns.flatMap((column) => columnDrift(plan, column, [...sample.values()])),
    ...indexDrift(plan, declared, indexes)
  ]
}

/**
 * Collections that have their documents under the name that their entity had before: it would begin again beside them.
 *
 * @param nameOf the collection of a plan
 */
export async function renamedCollections(
  db: Db,
  plans: readonly TablePlan[],
  nameOf: (plan: TablePlan) => string
): Promise<Difference[]> {
  const renamed: Difference[] = []
  for (const plan of plans) {
    const { was } = plan
    if (was === undefined) continue
    const isEmpty = async (name: string) => (await db.collection(name).findOne({}, { projection: { _id: 1 } })) === null
    if ((await isEmpty(was.collection)) || !(await isEmpty(nameOf(plan)))) continue
    renamed.push({
      code: 'SVC_ORM_RENAMED',
      message: `${nameOf(plan)} is still named ${was.collection} in the database and needs a migration that renames it`,
      fix: 'npx svc orm:diff rename, then npx svc orm:migrate',
      breaks: true
    })
  }
  return renamed
}

export async function indexesOf(collection: Collection): Promise<readonly IndexDescriptionInfo[]> {
  try {
    return await collection.listIndexes().toArray()
  } catch (error) {
    if (error instanceof mongoose.mongo.MongoServerError && error.code === NO_SUCH_COLLECTION) return []
    throw error
  }
}

function columnDrift(plan: TablePlan, column: ColumnPlan, sample: readonly Document[]): Difference[] {
  const field = fieldOf(plan, column.name)
  const at = `${plan.collection ?? plan.name}.${column.name}`
  const values = sample.map((document) => document[field] as unknown)
  const absent = values.filter((value) => value === undefined || value === null).length
  const foreign = values.filter((value) => value !== undefined && value !== null && !holds(column, value)).length
  const among = (count: number) => `${count} of ${sample.length} sampled documents`
  const { was } = column
  const former = was === undefined ? 0 : sample.filter((document) => document[was] !== undefined).length
  if (former > 0) {
    return [
      {
        code: 'SVC_ORM_RENAMED',
        message: `${at} is still named ${was} in ${among(former)} and needs a migration that renames it`,
        fix: 'npx svc orm:diff rename, then npx svc orm:migrate',
        breaks: true
      }
    ]
  }
  if (foreign > 0) {
    const type = column.list === true ? `list of ${column.type}` : column.type
    return [
      {
        code: 'SVC_ORM_COLUMN_TYPE',
        message: `${at} has another type in ${among(foreign)}: queries by value do not find them`,
        expected: type,
        fix: `change the values to ${type} in a migration, or change the field back`,
        // Some are strays. Where none is of the type, it is the field that has changed.
        breaks: plan.existing !== true && foreign === values.length - absent
      }
    ]
  }
  if (column.folds !== undefined) return foldedDrift(plan, column, sample)
  if (absent === 0 || column.nullable === true) return []
  return [
    {
      code: 'SVC_ORM_COLUMN_NULL',
      message: `${at} is missing in ${among(absent)}, and its field is required: it is read as null`,
      fix: 'fill the documents in a migration, or make the field nullable',
      breaks: false
    }
  ]
}

/** Documents that were there before an index folded the field: no find by it sees them, and no unique index. */
function foldedDrift(plan: TablePlan, { name, folds = '' }: ColumnPlan, sample: readonly Document[]): Difference[] {
  const absent = sample.filter((document) => (document[folds] ?? null) !== null && (document[name] ?? null) === null)
  if (absent.length === 0) return []
  return [
    {
      code: 'SVC_ORM_REQUIRED_COLUMN',
      message: `${plan.collection ?? plan.name}.${name}, the folded text of ${folds}, is missing in ${absent.length} of ${sample.length} sampled documents: they are not found by it`,
      fix: 'npx svc orm:diff and npx svc orm:migrate',
      breaks: true
    }
  ]
}

export function holds({ type, list = false }: ColumnPlan, value: unknown): boolean {
  const { holds: isOne } = DOCUMENT_TYPES[type]
  return list ? Array.isArray(value) && value.every(isOne) : isOne(value)
}

/** Unique ones that nobody declares go on refusing what the entity allows. Those that are missing are made at boot. */
function indexDrift(
  plan: TablePlan,
  declared: readonly IndexDescription[],
  standing: readonly IndexDescriptionInfo[]
): Difference[] {
  const unique = declared.filter((index) => index.unique === true)
  const isWanted = (index: IndexDescriptionInfo) =>
    unique.some((each) => each.name === index.name || heldText(each) === heldText(index))
  const record = plan.collection ?? plan.name
  return standing
    .filter((index) => index.name !== '_id_' && index.unique === true && !isWanted(index))
    .map(({ name, key }) => ({
      code: 'SVC_ORM_INDEX_LEFT',
      message: `${record} (${Object.keys(key).join(', ')}) is unique in the database but not in the entity: equal values are refused`,
      fix: `drop the unique index ${name} in a migration, or declare it unique`,
      breaks: false
    }))
}

/** What it refuses: the same values, among documents that meet its conditions. That its fields are there is none. */
function heldText({
  key,
  partialFilterExpression = {}
}: Pick<IndexDescription, 'key' | 'partialFilterExpression'>): string {
  const conditions = Object.entries(partialFilterExpression).filter(
    ([, test]) => Object.keys(test as Document).join() !== '$exists'
  )
  return JSON.stringify([key, conditions])
}
