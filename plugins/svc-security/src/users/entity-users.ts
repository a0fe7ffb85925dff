/**
 * Users kept in an entity of the application, the option `users.entity`: read through `fastify.orm`, and so from any
 * database. svc-orm is known by its shape only. The option is checked when the application is ready, before any login.
 */
import type { FastifyInstance } from 'fastify'
import { BootError, decoratorOf, type Problem } from 'svc-kernel'
import { nearestName } from 'svc-kernel/plugin'
import { AuthenticationUnavailable } from '../errors.ts'
import type { UserEntityConfig } from '../options.ts'
import { FLAG_NAMES } from './user-flags.ts'
import type { ProvidedUser, UserProvider } from './user-source.ts'

/** What is used of svc-orm's port. */
interface Orm {
  repository(entity: string, connector?: string): Rows
  entities(connector?: string): readonly Entity[]
}

type Row = Readonly<Record<string, unknown>>

interface Rows {
  findOne(criteria: Row, options?: { readonly cache: 'refresh' }): Promise<Row | null>
  updateMany(criteria: Row, changes: Row): Promise<number>
  primary(): Rows
}

interface Entity {
  readonly name: string
  readonly fields: ReadonlyMap<string, { readonly type: string; readonly array: boolean }>
  readonly indexes: readonly {
    readonly fields: readonly string[]
    readonly unique: boolean
    /** It holds some rows only. */
    readonly where?: unknown
  }[]
}

/** Who may act is always read again; what is below the firewall may then use the row. */
const READ = { cache: 'refresh' } as const

/** Roles of users whose entity has no field for them. */
const EVERY_USER: readonly string[] = Object.freeze(['ROLE_USER'])

export class EntityUsers implements UserProvider {
  readonly #config: UserEntityConfig
  #rows: Rows | null = null
  /** The fields of the flags, by the name that the record has for them. */
  #flags: ReadonlyArray<readonly [name: string, field: string]> = []

  /** @throws BootError (SVC_SEC_USERS_ENTITY) where svc-orm is not registered before; the boot ends with it where the entity cannot keep users */
  constructor(fastify: FastifyInstance, config: UserEntityConfig) {
    this.#config = config
    const orm = decoratorOf(fastify as unknown as { orm: Orm }, 'orm')
    if (orm === null) throw new BootError([withoutOrm()])
    // Runs behind the hook of svc-orm, which compiles the entities.
    fastify.addHook('onReady', async () => {
      this.#rows = openRows(orm, config)
      this.#flags = flagsOf(entityOf(orm, config), config)
    })
  }

  async findByIdentifier(identifier: string): Promise<ProvidedUser | null> {
    return this.#record(await this.#open.findOne({ [this.#config.identifier]: identifier }, READ))
  }

  async findById(id: string): Promise<ProvidedUser | null> {
    return this.#record(await this.#open.findOne({ id }, READ))
  }

  async replacePassword(id: string, expected: string | null, next: string): Promise<boolean> {
    const { password } = this.#config
    return (await this.#open.updateMany({ id, [password]: expected }, { [password]: next })) === 1
  }

  #record(row: Row | null): ProvidedUser | null {
    if (row === null) return null
    const { identifier, password, roles } = this.#config
    const record: Record<string, unknown> = {
      id: row.id,
      identifier: row[identifier],
      password: row[password],
      roles: roles === undefined ? EVERY_USER : row[roles]
    }
    for (const [name, field] of this.#flags) record[name] = row[field]
    return record as unknown as ProvidedUser
  }

  get #open(): Rows {
    if (this.#rows === null) throw new AuthenticationUnavailable()
    return this.#rows
  }
}

/** Fields that the options name, else those that the entity has by the names of flags. */
function flagsOf(entity: Entity | undefined, config: UserEntityConfig): Array<readonly [name: string, field: string]> {
  return Object.entries(FLAG_NAMES).flatMap(([flag, names]) => {
    const given = config[flag as keyof typeof FLAG_NAMES]
    if (given !== undefined) return [[flag, given] as const]
    return names.filter((name) => entity?.fields.has(name)).map((name) => [name, name] as const)
  })
}

function entityOf(orm: Orm, { name, connector }: UserEntityConfig): Entity | undefined {
  return orm.entities(connector).find((each) => each.name === name)
}

function openRows(orm: Orm, config: UserEntityConfig): Rows {
  const rows = repositoryOf(orm, config)
  const entity = entityOf(orm, config)
  const problems = entity === undefined ? [] : fieldProblems(entity, config)
  if (problems.length > 0) throw new BootError(problems)
  return rows
}

/** svc-orm knows the entity, and the connector, or says what it does know. */
function repositoryOf(orm: Orm, { name, connector }: UserEntityConfig): Rows {
  try {
    // Roles, locks and passwords decide: no replica answers for them.
    return orm.repository(name, connector).primary()
  } catch (error) {
    const known = orm.entities().map((entity) => entity.name)
    const near = nearestName(name, known)
    throw new BootError([
      problem({
        message: `the entity ${name} cannot hold users: ${(error as Error).message}`,
        at: 'name',
        got: JSON.stringify(name),
        expected: known.join(' | ') || 'an entity of the application',
        fix: near === undefined || near === name ? 'declare the entity, or name its connector' : `write ${near}`
      })
    ])
  }
}

const TEXT = {
  types: ['string', 'text'],
  array: false,
  expected: 'a field of type string or text'
}
const FLAG = {
  types: ['boolean'],
  array: false,
  expected: 'a field of type boolean'
}

function fitsFlag({ type, array }: { readonly type: string; readonly array: boolean }): boolean {
  return FLAG.types.includes(type) && !array
}

/** What each field must be. */
const FIELDS = {
  identifier: TEXT,
  password: TEXT,
  roles: {
    types: ['string', 'text'],
    array: true,
    expected: 'a field of type string with array: true'
  },
  enabled: FLAG,
  locked: FLAG
} as const

function fieldProblems(entity: Entity, config: UserEntityConfig): Problem[] {
  const names = [...entity.fields.keys()]
  const faults = Object.entries(FIELDS).flatMap(([at, { types, array, expected }]) => {
    const name = config[at as keyof typeof FIELDS]
    const field = name === undefined ? undefined : entity.fields.get(name)
    if (name === undefined || (field?.array === array && (types as readonly string[]).includes(field.type))) return []
    const near = field === undefined ? nearestName(name, names) : undefined
    const got = field === undefined ? 'no such field' : `${field.type}${field.array ? ', a list' : ''}`
    const fix = near === undefined ? `declare ${name} so, or name another field` : `write ${near}`
    return [
      problem({
        message: `${entity.name}.${name} cannot be the ${at} of users`,
        at,
        got,
        expected,
        fix
      })
    ]
  })
  for (const [, name] of flagsOf(entity, config)) {
    const field = entity.fields.get(name)
    // A field that the options name is looked at above.
    if (field === undefined || fitsFlag(field) || Object.values(config).includes(name)) continue
    const flag = Object.entries(FLAG_NAMES).find(([, names]) => (names as readonly string[]).includes(name))?.[0]
    faults.push(
      problem({
        message: `${entity.name}.${name} is used as a flag of users, but is not boolean`,
        at: flag,
        got: `${field.type}${field.array ? ', a list' : ''}`,
        expected: FLAG.expected,
        fix: `set users.entity.${flag} to the right field, or declare ${name} as boolean`
      })
    )
  }
  const { identifier } = config
  const isUnique = entity.indexes.some(
    ({ fields, unique, where }) => unique && where === undefined && fields.length === 1 && fields[0] === identifier
  )
  if (isUnique || faults.length > 0) return faults
  return [
    problem({
      message: `two users could have the same identifier: ${entity.name}.${identifier} is not unique`,
      at: 'identifier',
      got: identifier,
      expected: 'a unique field',
      fix: `declare ${identifier} with unique: true`
    })
  ]
}

function withoutOrm(): Problem {
  return problem({
    message: 'users.entity needs svc-orm, which is not registered',
    got: 'no svc-orm before svc-security',
    expected: 'svc-orm, or a driver that includes it',
    fix: 'register svc-orm, or svc-sqlorm or svc-docdb, before svc-security'
  })
}

function problem({ at, ...parts }: Omit<Problem, 'code' | 'more'>): Problem {
  const place = `svc-security.users.entity${at === undefined ? '' : `.${at}`}`
  return {
    code: 'SVC_SEC_USERS_ENTITY',
    ...parts,
    at: place,
    more: 'npx svc docs accounts'
  }
}
