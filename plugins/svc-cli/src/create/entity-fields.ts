/** The fields of a new entity as they are typed on the command line: `title:string`, `summary:text?`, `slug:string!`. Pure. */
import { nearestName, type Problem } from 'svc-kernel'

export const FIELD_TYPES = ['string', 'text', 'integer', 'float', 'boolean', 'date', 'day', 'uuid', 'json'] as const

export type EntityFieldType = (typeof FIELD_TYPES)[number]

export interface EntityField {
  readonly name: string
  readonly type: EntityFieldType
  /** `?` */
  readonly nullable: boolean
  /** `!` */
  readonly unique: boolean
}

export interface ParsedFields {
  readonly fields: readonly EntityField[]
  /** Of all fields together. */
  readonly problems: readonly Problem[]
}

const FORM = /^([^:]*)(?::([a-z]*)([?!]*))?$/i
const NAME = /^[a-z][A-Za-z0-9]{0,62}$/

/** What an entity has of its own, or every object of JavaScript. */
const TAKEN: readonly string[] = ['id', ...Object.getOwnPropertyNames(Object.prototype)]

export function parseFields(given: readonly string[]): ParsedFields {
  const fields: EntityField[] = []
  const problems: Problem[] = []
  for (const spec of given) {
    const field = readField(spec)
    if ('code' in field) problems.push(field)
    else if (fields.some(({ name }) => fold(name) === fold(field.name))) {
      problems.push(refused(spec, `the field "${field.name}" is there twice`, 'a name of its own'))
    } else fields.push(field)
  }
  return { fields, problems }
}

function readField(spec: string): EntityField | Problem {
  const [, name = '', given = '', marks = ''] = FORM.exec(spec) ?? []
  if (!NAME.test(name)) return nameProblem(spec, name)
  if (TAKEN.includes(name)) return refused(spec, `the name "${name}" is taken: every row has it`, 'another name')
  const type = FIELD_TYPES.find((each) => each === given)
  if (type === undefined) return typeProblem(spec, name, given, marks)
  const [nullable, unique] = [marks.includes('?'), marks.includes('!')]
  if (marks.length > Number(nullable) + Number(unique)) {
    return refused(spec, 'a mark is there twice', '? for a field that may be null, ! for a unique one')
  }
  if (type === 'json' && unique) return refused(spec, 'json cannot be unique', `${name}:json`)
  return { name, type, nullable, unique }
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
  decimal: 'float',
  bool: 'boolean',
  datetime: 'date',
  timestamp: 'date',
  object: 'json'
}

function refused(spec: string, message: string, expected: string): Problem {
  return { code: 'SVC_CREATE_FIELD', message, at: spec, expected, fix: 'title:string body:text? slug:string!' }
}

/** Column names are compared without case. */
function fold(name: string): string {
  return name.toLowerCase()
}
