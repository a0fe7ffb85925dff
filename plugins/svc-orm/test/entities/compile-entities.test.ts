/** Definitions that hold together, and each way in which they do not. */
import t from 'tap'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import type { EntityDefinition } from '../../src/entities/entity-definition.ts'

const place = 'entities/shop.ts:7'

function compile(...definitions: unknown[]) {
  return compileEntities(
    definitions.map((definition) => ({ definition: definition as EntityDefinition, place })),
    'main'
  )
}

const field = { type: 'string' } as const
const Author = {
  name: 'Author',
  schema: { name: field },
  relations: { books: { type: 'one-to-many', target: 'Book', mappedBy: 'author' } }
}
const Book = {
  name: 'Book',
  schema: { title: field },
  relations: { author: { type: 'many-to-one', target: 'Author' } }
}

t.test('a definition, compiled', async (t) => {
  const { entities, problems } = compile({
    name: 'BlogPost',
    module: 'blog',
    schema: {
      slug: { type: 'string', unique: true, maxLength: 9 },
      tags: { type: 'string', array: true, nullable: true },
      count: { type: 'integer', default: 0 }
    },
    relations: {
      author: { type: 'many-to-one', target: 'BlogPost', nullable: true },
      next: { type: 'one-to-one', target: 'BlogPost', field: 'follows' }
    },
    indexes: [{ fields: ['count', 'slug'] }, { fields: ['slug'] }],
    timestamps: true
  })
  t.same(problems, [])
  const [entity] = entities
  t.match(entity, { name: 'BlogPost', module: 'blog', table: 'blog_post', timestamps: true, place })
  t.same([...(entity?.fields.keys() ?? [])], ['slug', 'tags', 'count', 'authorId', 'follows', 'createdAt', 'updatedAt'])
  t.match(entity?.fields.get('authorId'), { type: 'id', nullable: true, unique: false, managed: false })
  t.match(entity?.fields.get('follows'), { type: 'id', nullable: false, unique: true })
  t.match(entity?.fields.get('updatedAt'), { type: 'date', managed: true })
  t.same(entity?.relations.get('next'), {
    name: 'next',
    type: 'one-to-one',
    target: 'BlogPost',
    field: 'follows',
    mappedBy: null,
    reference: { table: 'blog_post', key: 'id', onDelete: 'restrict', deferrable: false, byRepository: false }
  })
  t.same(entity?.indexes, [
    { fields: ['slug'], unique: true },
    { fields: ['follows'], unique: true },
    { fields: ['count', 'slug'], unique: false },
    { fields: ['authorId'], unique: false }
  ])
})

t.test('the way back of a relation knows the reference on the other side', async (t) => {
  const { entities, problems } = compile(Author, Book)
  t.same(problems, [])
  t.same(entities[0]?.relations.get('books'), {
    name: 'books',
    type: 'one-to-many',
    target: 'Book',
    field: 'authorId',
    mappedBy: 'author'
  })
})

const relation = (given: object) => ({ name: 'Thing', schema: {}, relations: { other: given } })
const schema = (given: object, more: object = {}) => ({ name: 'Thing', schema: { it: given }, ...more })

const existing = (given: object, more: object = {}) => ({ ...schema(field, more), existing: given })

const FAULTS: readonly (readonly [definition: unknown, code: string, message: RegExp])[] = [
  [{ schema: {} }, 'SVC_ENTITY_INVALID', /name/],
  [{ name: 'Thing' }, 'SVC_ENTITY_INVALID', /schema/],
  [{ name: 'drop table', schema: {} }, 'SVC_ENTITY_INVALID', /name/],
  [{ name: 'x'.repeat(64), schema: {} }, 'SVC_ENTITY_INVALID', /name/],
  [{ name: 'Thing', schema: {}, feilds: {} }, 'SVC_ENTITY_INVALID', /feilds.*unknown key/],
  [schema({ type: 'strnig' }), 'SVC_ENTITY_INVALID', /schema\.it\.type/],
  [schema({ type: 'string', lenght: 1 }), 'SVC_ENTITY_INVALID', /lenght/],
  [{ name: 'Thing', schema: { 'a.b': field } }, 'SVC_ENTITY_INVALID', /schema/],
  [{ name: 'Thing', schema: { $where: field } }, 'SVC_ENTITY_INVALID', /schema/],
  [{ name: 'Thing', schema: { _id: field } }, 'SVC_ENTITY_INVALID', /schema/],
  [{ name: 'Thing', schema: { id: field } }, 'SVC_ENTITY_NAME', /id: every row has it/],
  [{ name: 'Thing', schema: { constructor: field } }, 'SVC_ENTITY_NAME', /constructor/],
  [{ name: 'Thing', schema: { title: field, Title: field } }, 'SVC_ENTITY_NAME', /Title: the name is taken by title/],
  [{ name: 'Thing', schema: { fooBar: field, foo_bar: field } }, 'SVC_ENTITY_NAME', /foo_bar/],
  [{ name: 'Thing', schema: { createdAt: field }, timestamps: true }, 'SVC_ENTITY_NAME', /createdAt/],
  [
    { name: 'Thing', schema: { otherId: field }, relations: { other: { type: 'many-to-one', target: 'Thing' } } },
    'SVC_ENTITY_NAME',
    /otherId/
  ],
  [
    { name: 'Thing', schema: { other: field }, relations: { other: { type: 'many-to-one', target: 'Thing' } } },
    'SVC_ENTITY_NAME',
    /other/
  ],
  [schema({ type: 'json', array: true }), 'SVC_ENTITY_FIELD', /remove array/],
  [schema({ type: 'json', unique: true }), 'SVC_ENTITY_FIELD', /unique/],
  [schema({ type: 'string', array: true, unique: true }), 'SVC_ENTITY_FIELD', /unique/],
  [schema({ type: 'string', array: true, default: 'x' }), 'SVC_ENTITY_FIELD', /default/],
  [schema({ type: 'integer', maxLength: 3 }), 'SVC_ENTITY_FIELD', /maxLength/],
  [schema({ type: 'integer', default: '3' }), 'SVC_ENTITY_FIELD', /default/],
  [schema({ type: 'integer', default: 1.5 }), 'SVC_ENTITY_FIELD', /default/],
  [schema({ type: 'string', default: null }), 'SVC_ENTITY_FIELD', /default/],
  [schema({ type: 'string', maxLength: 2, default: 'abc' }), 'SVC_ENTITY_FIELD', /default/],
  [schema({ type: 'date', default: 'now' }), 'SVC_ENTITY_FIELD', /default/],
  [schema({ type: 'id', default: 'x' }), 'SVC_ENTITY_FIELD', /default/],
  [schema({ type: 'string', retired: true, unique: true }), 'SVC_ENTITY_FIELD', /retired takes no unique/],
  [
    schema({ type: 'string', retired: true, default: '' }),
    'SVC_ENTITY_FIELD',
    /retired takes no unique and no default/
  ],
  [schema({ type: 'enum' }), 'SVC_ENTITY_FIELD', /an enum needs values/],
  [schema({ type: 'string', values: ['a'] }), 'SVC_ENTITY_FIELD', /values are for enum/],
  [schema({ type: 'enum', values: ['a'], default: 'b' }), 'SVC_ENTITY_FIELD', /default: .*one of a/],
  [schema({ type: 'day', default: '2024-02-30' }), 'SVC_ENTITY_FIELD', /YYYY-MM-DD/],
  [existing({ name: 'x', columns: { ti: 'n' } }), 'SVC_ENTITY_EXISTING', /names ti, which is not a field/],
  [existing({ name: 'x', columns: { it: 'ID' } }), 'SVC_ENTITY_EXISTING', /it has the column of id/],
  [existing({ name: 'x' }, { was: 'Y' }), 'SVC_ENTITY_EXISTING', /migrations do not rename/],
  [existing({ name: 'a.b' }), 'SVC_ENTITY_INVALID', /existing\.name/],
  [existing({ name: 'x', id: 'float' }), 'SVC_ENTITY_INVALID', /existing\.id/],
  [schema({ type: 'bytes', array: true }), 'SVC_ENTITY_FIELD', /a list cannot hold bytes/],
  [schema({ type: 'bytes', unique: true }), 'SVC_ENTITY_FIELD', /bytes cannot be unique/],
  [schema({ type: 'bytes', default: 'AQ==' }), 'SVC_ENTITY_FIELD', /bytes take no default/],
  [schema({ type: 'uuid', default: 'x' }), 'SVC_ENTITY_FIELD', /a UUID/],
  [schema({ type: 'decimal' }), 'SVC_ENTITY_FIELD', /a decimal needs a scale/],
  [schema({ type: 'float', scale: 2 }), 'SVC_ENTITY_FIELD', /scale is for decimal/],
  [schema({ type: 'decimal', scale: 2, array: true }), 'SVC_ENTITY_FIELD', /a list cannot hold exact numbers/],
  [schema({ type: 'decimal', scale: 2, default: '0.001' }), 'SVC_ENTITY_FIELD', /at most 2 decimals/],
  [schema({ type: 'bigint', default: 1.5 }), 'SVC_ENTITY_FIELD', /integer of 64 bits/],
  [schema({ type: 'decimal', scale: 2, check: { max: '0.5' }, default: 1 }), 'SVC_ENTITY_FIELD', /at most 0\.50/],
  [schema({ type: 'boolean', check: { min: 0 } }), 'SVC_ENTITY_FIELD', /check\.min is for/],
  [schema({ type: 'integer', check: { max: '5' } }), 'SVC_ENTITY_FIELD', /check\.max: expected a safe integer/],
  [schema({ type: 'date', check: { min: '2024-01-01' } }), 'SVC_ENTITY_FIELD', /check\.min: expected a Date/],
  [schema({ type: 'float', check: { min: 2, max: 1 } }), 'SVC_ENTITY_FIELD', /check\.min is above check\.max/],
  [schema({ type: 'integer', check: { min: 1 }, default: 0 }), 'SVC_ENTITY_FIELD', /default: .*at least 1/],
  [schema({ type: 'integer', check: { minLength: 1 } }), 'SVC_ENTITY_FIELD', /minLength is for/],
  [schema({ type: 'day', check: { pattern: 'x' } }), 'SVC_ENTITY_FIELD', /pattern is for/],
  [schema({ type: 'string', check: { pattern: '(' } }), 'SVC_ENTITY_FIELD', /pattern: Invalid regular expression/],
  [schema({ type: 'text', schema: {} }), 'SVC_ENTITY_FIELD', /schema is for json/],
  [schema({ type: 'json', schema: { type: 'nothing' } }), 'SVC_ENTITY_FIELD', /schema: /],
  [
    relation({ type: 'many-to-many', target: 'Thing' }),
    'SVC_ENTITY_RELATION',
    /many-to-many relations are not supported/
  ],
  [relation({ type: 'many-to-one', target: 'Thnig' }), 'SVC_ENTITY_RELATION', /no entity Thnig/],
  [
    relation({ type: 'many-to-one', target: 'Thing', mappedBy: 'x' }),
    'SVC_ENTITY_RELATION',
    /mappedBy is for one-to-many/
  ],
  [relation({ type: 'one-to-many', target: 'Thing' }), 'SVC_ENTITY_RELATION', /mappedBy is missing/],
  [
    relation({ type: 'one-to-many', target: 'Thing', mappedBy: 'nope' }),
    'SVC_ENTITY_RELATION',
    /Thing\.nope is not a many-to-one/
  ],
  [relation({ type: 'one-to-many', target: 'Thing', mappedBy: 'toString' }), 'SVC_ENTITY_RELATION', /toString/],
  [
    relation({ type: 'one-to-many', target: 'Thing', mappedBy: 'other', field: 'x' }),
    'SVC_ENTITY_RELATION',
    /field belongs/
  ],
  [
    relation({ type: 'one-to-many', target: 'Thing', mappedBy: 'other', nullable: true }),
    'SVC_ENTITY_RELATION',
    /nullable belongs/
  ],
  [schema(field, { tree: 'parent' }), 'SVC_ENTITY_TREE', /Thing has no relation parent/],
  [schema(field, { tree: 'toString' }), 'SVC_ENTITY_TREE', /Thing has no relation toString/],
  [schema(field, { tree: 1 as never }), 'SVC_ENTITY_INVALID', /tree/],
  [
    { ...relation({ type: 'many-to-one', target: 'Thing', nullable: true }), tree: 'othr' },
    'SVC_ENTITY_TREE',
    /no relation othr/
  ],
  [{ ...relation({ type: 'many-to-one', target: 'Thing' }), tree: 'other' }, 'SVC_ENTITY_TREE', /other is never null/],
  [
    { ...relation({ type: 'one-to-one', target: 'Thing', nullable: true }), tree: 'other' },
    'SVC_ENTITY_TREE',
    /not a many-to-one relation to Thing itself/
  ],
  [schema(field, { indexes: [{ fields: ['nope'] }] }), 'SVC_ENTITY_INDEX', /nope/],
  [schema(field, { indexes: [{ fields: ['id'] }] }), 'SVC_ENTITY_INDEX', /id/],
  [schema({ type: 'json' }, { indexes: [{ fields: ['it'] }] }), 'SVC_ENTITY_INDEX', /it/],
  [schema(field, { indexes: [{ fields: [] }] }), 'SVC_ENTITY_INVALID', /indexes/],
  [schema(field, { indexes: [{ fields: ['it'], where: {} }] }), 'SVC_ENTITY_INVALID', /where/],
  [schema(field, { indexes: [{ fields: ['it'], where: { nope: 1 } }] }), 'SVC_ENTITY_INDEX', /nope/],
  [schema(field, { indexes: [{ fields: ['it'], where: { it: 5 } }] }), 'SVC_ENTITY_INDEX', /where\.it: .*text/],
  [schema(field, { indexes: [{ fields: ['it'], where: { it: ['a', 'b'] } }] }), 'SVC_ENTITY_INVALID', /where/],
  [
    schema(field, { indexes: [{ fields: ['it'], where: { it: { $in: ['a'] } } }] }),
    'SVC_ENTITY_INDEX',
    /every database can index/
  ],
  [
    schema(field, { indexes: [{ fields: ['it'], where: { it: { $ne: 'a' } } }] }),
    'SVC_ENTITY_INDEX',
    /every database can index/
  ],
  [
    schema(field, { indexes: [{ fields: ['it'], where: { it: { $like: 'a' } } }] }),
    'SVC_ENTITY_INDEX',
    /every database can index/
  ],
  [schema(field, { indexes: [{ fields: ['it'], where: { $or: { it: 'a' } } }] }), 'SVC_ENTITY_INVALID', /where/],
  [
    schema({ type: 'json' }, { timestamps: true, indexes: [{ fields: ['createdAt'], where: { it: null } }] }),
    'SVC_ENTITY_INDEX',
    /where\.it: a list or json/
  ],
  [schema({ type: 'id' }, { indexes: [{ fields: ['it'], where: { it: 'x' } }] }), 'SVC_ENTITY_INDEX', /an id differs/],
  [schema({ type: 'string', unique: 'present' }), 'SVC_ENTITY_INDEX', /softDelete/],
  [schema({ type: 'json', unique: 'present' }, { softDelete: true }), 'SVC_ENTITY_FIELD', /unique/],
  [
    schema({ type: 'string', unique: 'present', retired: true }, { softDelete: true }),
    'SVC_ENTITY_FIELD',
    /retired takes no unique/
  ],
  [
    schema({ type: 'integer' }, { indexes: [{ fields: [{ field: 'it', fold: true }] }] }),
    'SVC_ENTITY_INDEX',
    /no text/
  ],
  [schema(field, { indexes: [{ fields: [{ fold: true }] }] }), 'SVC_ENTITY_INVALID', /field/],
  [schema(field, { indexes: [{ fields: [{ field: 'nope', fold: true }] }] }), 'SVC_ENTITY_INDEX', /nope/],
  [
    schema(field, { existing: { name: 'x' }, indexes: [{ fields: [{ field: 'it', fold: true }] }] }),
    'SVC_ENTITY_INDEX',
    /existing table/
  ],
  [
    schema({ type: 'string', sealed: 'searchable' }, { indexes: [{ fields: [{ field: 'it', fold: true }] }] }),
    'SVC_ENTITY_INDEX',
    /an index folds it, which is sealed/
  ],
  [
    schema({ type: 'string', sealed: 'searchable' }, { indexes: [{ fields: ['it'], method: 'trigram' }] }),
    'SVC_ENTITY_INDEX',
    /sealed/
  ],
  [
    schema(
      { type: 'string', sealed: true, nullable: true },
      { timestamps: true, indexes: [{ fields: ['createdAt'], where: { it: 'a' } }] }
    ),
    'SVC_ENTITY_INDEX',
    /where asks for a value of it, which is sealed/
  ],
  [
    schema({ type: 'string', sealed: 'searchable', unique: 'present' }, { softDelete: true }),
    'SVC_ENTITY_FIELD',
    /all rows/
  ],
  [schema(field, { indexes: [{ fields: ['it'], method: 'hash' }] }), 'SVC_ENTITY_INVALID', /method/],
  [schema(field, { indexes: [{ fields: ['it'], method: 'gin' }] }), 'SVC_ENTITY_INDEX', /no list or json/],
  [schema({ type: 'integer' }, { indexes: [{ fields: ['it'], method: 'trigram' }] }), 'SVC_ENTITY_INDEX', /no text/],
  [schema(field, { indexes: [{ fields: ['it'], method: 'trigram', unique: true }] }), 'SVC_ENTITY_INDEX', /one field/],
  [schema(field, { indexes: [{ fields: ['it'], unique: 'present' }] }), 'SVC_ENTITY_INDEX', /softDelete/],
  [
    schema(field, { softDelete: true, indexes: [{ fields: ['it'], unique: 'present', where: { it: 'a' } }] }),
    'SVC_ENTITY_INDEX',
    /beside/
  ]
]

t.test('each fault is told once, with its code and place', async (t) => {
  for (const [definition, code, message] of FAULTS) {
    const { problems } = compile(definition)
    t.equal(problems.length, 1, JSON.stringify(definition))
    t.match(problems[0], { code, message, at: place, more: 'npx svc docs declaring-entities' })
  }
})

t.test('faults of all entities come together, and none because of another', async (t) => {
  const { problems } = compile(
    { ...Author, nope: 1 },
    Book,
    { name: 'Book', schema: {} },
    { name: 'BOOK', schema: {} },
    schema({ type: 'integer', maxLength: 1, unique: true, array: true })
  )
  t.same(
    problems.map(({ code }) => code),
    ['SVC_ENTITY_INVALID', 'SVC_ENTITY_DUPLICATE', 'SVC_ENTITY_DUPLICATE', 'SVC_ENTITY_FIELD', 'SVC_ENTITY_FIELD']
  )
  t.match(problems[1]?.message, /^Book is declared twice on connector main: first at entities\/shop.ts:7$/)
  t.match(problems[2]?.message, /^BOOK is declared twice on connector main, under the name Book/)
})

t.test('fields that the repository keeps, and hooks', async (t) => {
  const hooks = { beforeCreate: () => undefined }
  const kept = { name: 'Kept', schema: {}, timestamps: true, softDelete: true, version: true, hooks }
  const { entities, problems } = compile(kept)
  t.same(problems, [])
  const [entity] = entities
  t.same([...(entity?.fields.keys() ?? [])], ['createdAt', 'updatedAt', 'deletedAt', 'version'])
  t.match(entity?.fields.get('deletedAt'), { type: 'date', nullable: true, managed: true })
  t.match(entity?.fields.get('version'), { type: 'integer', default: 1, managed: true })
  t.equal(entity?.hooks.beforeCreate, hooks.beforeCreate)
  const taken = compile({ ...kept, schema: { version: field } })
  t.match(taken.problems, [{ code: 'SVC_ENTITY_NAME', message: 'Kept.version: the name is taken by version' }])
  for (const wrong of [{ beforeSave: () => undefined }, { afterCreate: 'log' }, 5]) {
    t.match(compile({ ...kept, hooks: wrong }).problems, [{ code: 'SVC_ENTITY_INVALID', expected: /^a function/ }])
  }
})
