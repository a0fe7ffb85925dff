/** An entity after its definition was checked: what drivers and the admin plane work with. */
import type { IndexCondition, IndexMethod, ReferenceRule } from 'svc-stores/table'
import type { FieldTypeDefinition } from '../fields/field-type.ts'
import { idType } from '../fields/id.ts'
import type { JsonScalar } from '../fields/json.ts'
import type { CompositeKey } from './composite-key.ts'
import type { DeclaredHooks, ExistingTable, HiddenField, IdType, RelationType } from './entity-definition.ts'

/** What a value must meet beside its type and length. */
export interface ValueRule {
  /** What is expected instead of the value; `null` where it meets the rule. */
  fault(value: unknown): string | null
  /** The rule in JSON Schema, as far as that has words for it. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Of numbers: what an increment must stay within, of exact ones in units; `null` where there is no such bound. */
  readonly least: number | bigint | null
  readonly greatest: number | bigint | null
}

export interface CompiledField {
  readonly name: string
  /** The name of its type. */
  readonly type: string
  readonly fieldType: FieldTypeDefinition
  readonly array: boolean
  readonly nullable: boolean
  /** Among all rows. */
  readonly unique: boolean
  /** `undefined` where there is none. */
  readonly default: JsonScalar | undefined
  /** In code points, of bytes in bytes; `null` where unbounded. */
  readonly maxLength: number | null
  /** Of `bigint` and `decimal`: the decimals of a value. */
  readonly scale?: number
  /** Of `id`, where it is no id that the database makes. */
  readonly idType?: IdType
  /** Of `id`, where the key has several columns. */
  readonly key?: CompositeKey
  /** Of `enum`. */
  readonly values?: readonly string[]
  /** What values must meet beside type and length. */
  readonly rule?: ValueRule
  /** `true` for `createdAt`, `updatedAt`, `deletedAt` and `version`: written by the repository, never by its caller. */
  readonly managed: boolean
  /** It holds the scope of its row: given by a caller only across scopes, and never changed. */
  readonly scope?: true
  /** Whether generated answers, filters and orders leave it out; absent: it is shown, and its definition does not say so. */
  readonly hidden?: HiddenField
  /** Whether the database has it encrypted; absent: as it is. */
  readonly sealed?: true | 'searchable'
  /** Its name before, where the definition says so. */
  readonly was?: string
  /** The column with its folded text, where an index folds it. */
  readonly folded?: string
}

/** What holds a reference together. */
export interface CompiledReference {
  /** The table of the target in SQL, and its key there. */
  readonly table: string
  readonly key: string
  /** The field of the scope, where both entities belong to the same: a row names rows of its own scope only. */
  readonly within?: string
  readonly onDelete: ReferenceRule
  readonly deferrable: boolean
  /** What `onDelete` does is done by the repository, as hooks, marks, versions or times of the rows have a part in it. */
  readonly byRepository: boolean
}

export interface CompiledRelation {
  readonly name: string
  readonly type: RelationType
  /** Name of the other entity, known to exist on the same connector. */
  readonly target: string
  /** The reference field: on this entity, or for `one-to-many` on the target. */
  readonly field: string
  /** `one-to-many`: the relation on the target that points back; else `null`. */
  readonly mappedBy: string | null
  /** Absent: of `one-to-many`, and where the reference may name a missing row. */
  readonly reference?: CompiledReference
}

export interface CompiledIndex {
  readonly fields: readonly string[]
  /** Among its rows. */
  readonly unique: boolean
  /** Those of its fields whose text it folds. */
  readonly folded?: readonly string[]
  /** What its rows meet; absent: it holds all. */
  readonly where?: readonly IndexCondition[]
  /** Absent: by order. */
  readonly method?: IndexMethod
}

/** A text field that is searched. */
export interface SearchedField {
  readonly field: string
  /** How much a word in it counts, beside the others. */
  readonly weight: number
}

export interface CompiledEntity {
  readonly name: string
  readonly module: string | null
  /** Its name before, where the definition says so. */
  readonly was?: string
  /** The name in the database, snake_case of the entity's: `BlogPost` is `blog_post`. */
  readonly table: string
  /** Laid over a table that is there already. */
  readonly existing?: ExistingTable
  /** The field `id`. */
  readonly id: CompiledField
  /** Every field but `id`, in order of declaration: schema, references, and those that the repository keeps. */
  readonly fields: ReadonlyMap<string, CompiledField>
  /** Those that the code uses no more, and whose columns stay for now. */
  readonly retired: readonly CompiledField[]
  readonly relations: ReadonlyMap<string, CompiledRelation>
  /** Declared indexes, one unique index per unique field, and one plain index per reference. No duplicates. */
  readonly indexes: readonly CompiledIndex[]
  /** One to four fields, which are searched together; absent: the entity has no search. */
  readonly search?: readonly SearchedField[]
  /** Whose rows they are: the name of the scope, and the field that keeps its value. */
  readonly scope?: { readonly name: string; readonly field: string }
  /** Rows are trees: the field with the id of the row above, or null. */
  readonly tree?: { readonly field: string }
  /** References within its scope name its rows. Absent: none does. */
  readonly referredWithin?: true
  readonly timestamps: boolean
  readonly softDelete: boolean
  readonly version: boolean
  readonly hooks: DeclaredHooks
  /** Where it is an entity without its hidden fields, of which nothing is written: the whole, and what it lacks. */
  readonly part?: { readonly of: CompiledEntity; readonly without: readonly string[] }
  /** `file:line` of the declaration, when known. */
  readonly place: string | null
}

/** Never null, unique, and not among `fields`: drivers keep it as their key. */
export const idField: CompiledField = Object.freeze({
  name: 'id',
  type: 'id',
  fieldType: idType,
  array: false,
  nullable: false,
  unique: true,
  default: undefined,
  maxLength: null,
  managed: true
})

/** Whether generated answers, filters and orders have the field. */
export function isShown({ hidden = false }: CompiledField): boolean {
  return hidden === false
}
