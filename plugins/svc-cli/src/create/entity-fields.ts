/**
 * The fields of a new entity as they are typed on the command line: `title:string`, `summary:text?`, `slug:string!`; of a
 * relation the type is an entity, `author:Author`. Pure.
 */
import type { Problem } from 'svc-kernel'
import { nearestName } from 'svc-kernel/plugin'
import { isEntityName } from './entity-names.ts'

export const FIELD_TYPES = [
  'string',
  'text',
  'integer',
  'float',
  'bigint',
  'decimal',
  'boolean',
  'date',
  'day',
  'uuid',
  'email',
  'url',
  'interval',
  'bytes',
  'json'
] as const

export type EntityFieldType = (typeof FIELD_TYPES)[number]

export interface EntityField {
  readonly name: string
  readonly type: EntityFieldType
  /** `?` */
  readonly nullable: boolean
  /** `!` */
  readonly unique: boolean
}

/** A reference to a row of another entity: `many-to-one`, or `one-to-one` where it is unique. */
export interface EntityRelation {
  readonly name: string
  readonly target: string
  /** `?` */
  readonly nullable: boolean
  /** `!` */
  readonly unique: boolean
}

/** What an entity is made of. */
export interface EntityDraft {
  readonly fields: readonly EntityField[]
  readonly relations: readonly EntityRelation[]
  /** What its repository keeps by itself. */
  readonly kept: readonly KeptPart[]
}

export type KeptPart = 'timestamps' | 'softDelete' | 'version'

export interface ParsedFields {
  readonly fields: readonly EntityField[]
  readonly relations: readonly EntityRelation[]
  /** Of all fields together. */
  readonly problems: readonly Problem[]
}

const FORM = /^([^:]*)(?::([a-z0-9]*)([?!]*))?$/i
const NAME = /^[a-z][A-Za-z0-9]{0,62}$/

/** What an entity has of its own, or every object of JavaScript. */
const TAKEN: readonly string[] = ['id', ...Object.getOwnPropertyNames(Object.prototype)]

export function parseFields(given: readonly string[]): ParsedFields {
  const fields: EntityField[] = []
  const relations: EntityRelation[] = []
  const problems: Problem[] = []
  for (const spec of given) {
    const field = readField(spec)
    if ('code' in field) problems.push(field)
    else if (isTaken(field, namesOf(fields, relations))) {
      problems.push(refused(spec, `the field "${field.name}" is there twice`, 'a name of its own'))
    } else if ('target' in field) relations.push(field)
    else fields.push(field)
  }
  return { fields, relations, problems }
}

/** A relation takes its own name, and that of the field that it keeps the id in. */
function namesOf(fields: readonly EntityField[], relations: readonly EntityRelation[]): string[] {
  return [...fields.map(({ name }) => name), ...relations.flatMap(({ name }) => [name, referenceName(name)])]
}

function isTaken(field: EntityField | EntityRelation, taken: readonly string[]): boolean {
  const names = 'target' in field ? namesOf([], [field]) : [field.name]
  return names.some((name) => taken.some((each) => fold(each) === fold(name)))
}

export function referenceName(relation: string): string {
  return `${relation}Id`
}

function readField(spec: string): EntityField | EntityRelation | Problem {
  const [, name = '', given = '', marks = ''] = FORM.exec(spec) ?? []
  if (!NAME.test(name)) return nameProblem(spec, name)
  if (TAKEN.includes(name)) return refused(spec, `the name "${name}" is taken: every row has it`, 'another name')
  const [nullable, unique] = [marks.includes('?'), marks.includes('!')]
  if (marks.length > Number(nullable) + Number(unique)) {
    return refused(spec, 'a mark is there twice', '? for a field that may be null, ! for a unique one')
  }
  const type = FIELD_TYPES.find((each) => each === given)
  if (type === undefined && isTarget(given)) return { name, target: given, nullable, unique }
  if (type === undefined) return typeProblem(spec, name, given, marks)
  if ((type === 'json' || type === 'bytes') && unique) {
    return refused(spec, `${type} cannot be unique`, `${name}:${type}`)
  }
  return { name, type, nullable, unique }
}

/** What is near a type is a type with a capital: `String`. */
function isTarget(given: string): boolean {
  return (
    isEntityName(given) &&
    nearestName(given.toLowerCase(), FIELD_TYPES) === undefined &&
    !(given.toLowerCase() in SYNONYMS)
  )
}

function nameProblem(spec: string, name: string): Problem {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean)
  const camel = words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')
  const clean = (camel.charAt(0).toLowerCase() + camel.slice(1)).replace(/^\d+/, '')
  return {
    ...refused(spec, `"${name}" cannot name a field`, 'camelCase: a-z first, then letters and digits'),
    ...(NAME.test(clean) ? { fix: `${clean}${spec.slice(name.length)}` } : {})
  }
}

function typeProblem(spec: string, name: string, given: string, marks: string): Problem {
  const near = nearestName(given.toLowerCase(), FIELD_TYPES) ?? SYNONYMS[given.toLowerCase()]
  const meant = near === undefined ? '' : ` (did you mean ${near}?)`
  const message = given === '' ? `the field "${name}" has no type` : `"${given}" is no type of a field${meant}`
  return {
    ...refused(spec, message, FIELD_TYPES.join(' | ')),
    fix: `${name}:${near ?? 'string'}${marks}`
  }
}

/** What other tools call the same. */
const SYNONYMS: Readonly<Record<string, EntityFieldType>> = {
  varchar: 'string',
  int: 'integer',
  number: 'float',
  double: 'float',
  numeric: 'decimal',
  money: 'decimal',
  bool: 'boolean',
  datetime: 'date',
  timestamp: 'date',
  blob: 'bytes',
  bytea: 'bytes',
  object: 'json'
}

function refused(spec: string, message: string, expected: string): Problem {
  return { code: 'SVC_CREATE_FIELD', message, at: spec, expected, fix: 'title:string body:text? slug:string!' }
}

/** Column names are compared without case. */
function fold(name: string): string {
  return name.toLowerCase()
}
