/** Typegoose classes: read as definitions, written through their own model. */
import { getModelForClass, index, modelOptions, pre, prop, type Ref } from '@typegoose/typegoose'
import mongoose from 'mongoose'
import type { BootError } from 'svc-kernel'
import t from 'tap'
import { nativeModel } from '../../src/models/native-class.ts'
import { application } from '../support/application.ts'
import { documents } from '../support/documents.ts'

t.teardown(() => mongoose.deleteModel(/.+/))

class Address {
  @prop({ type: () => String })
  city?: string
}

@modelOptions({ schemaOptions: { timestamps: true } })
@index({ email: 1 }, { unique: true })
@pre<Person>('save', function greet() {
  this.greeting = `hello ${this.name}`
})
class Person {
  @prop({ type: () => String, required: true, maxlength: 20 })
  name!: string

  @prop({ type: () => String, match: /@/ })
  email?: string

  @prop({ type: () => String })
  greeting?: string

  @prop({ type: () => Number, default: () => 42 })
  luck?: number

  @prop({ type: () => [String] })
  tags?: string[]

  @prop({ type: () => Address })
  address?: Address

  @prop({ type: () => Buffer })
  photo?: Buffer

  @prop({ ref: () => Person })
  friendId?: Ref<Person>

  get short(): string {
    return this.name.slice(0, 1)
  }
}

class Member {
  @prop({ type: () => String })
  name?: string

  @prop({ type: () => String, select: false })
  digest?: string

  @prop({ type: () => [String], select: false })
  notes?: string[]
}

class Unportable {
  @prop({ type: () => mongoose.Types.Decimal128 })
  raw?: mongoose.Types.Decimal128

  @prop({ type: () => String })
  text?: string
}

class Bare {}

t.test('a class as a definition', async (t) => {
  const { definition } = nativeModel(Person)
  t.strictSame(definition.schema, {
    name: { type: 'string', nullable: false, maxLength: 20 },
    email: { type: 'string', nullable: true },
    greeting: { type: 'string', nullable: true },
    luck: { type: 'float', nullable: true },
    tags: { type: 'string', array: true, nullable: true },
    address: { type: 'json', nullable: true },
    photo: { type: 'bytes', nullable: true }
  })
  t.strictSame(definition.relations, {
    friend: { type: 'many-to-one', target: 'Person', field: 'friendId', nullable: true, onDelete: 'none' }
  })
  t.match(definition, { name: 'Person', timestamps: true, indexes: [{ fields: ['email'], unique: true }] })
})

t.test('X3: what Mongoose does not select is hidden', async (t) => {
  t.match(nativeModel(Member).definition.schema, {
    name: { hidden: undefined },
    digest: { type: 'string', hidden: true },
    notes: { type: 'string', array: true, hidden: true }
  })
})

const Compiled = mongoose.createConnection().model('Compiled', new mongoose.Schema({ name: String }))

const refused: [what: string, model: new () => object, pattern: RegExp][] = [
  ['a type that no portable field holds', Unportable, /Unportable\.raw/],
  ['a class without fields', Bare, /Bare is not a Typegoose class/],
  ['D10: a model of Mongoose', Compiled, /^Compiled is a compiled Mongoose model/]
]

for (const [what, model, pattern] of refused) {
  t.test(`refused: ${what}`, async (t) => {
    try {
      nativeModel(model)
      t.fail('it was taken')
    } catch (error) {
      t.match((error as BootError).problems, [{ code: 'SVC_DOCDB_NATIVE', message: pattern }])
    }
  })
}

t.test('D10: a model of Mongoose among the entities stops the boot with what to do', async (t) => {
  const options = { connectors: { svc: { uri: 'mongodb://127.0.0.1:1/x' } } }
  const fastify = await application(t, { options, entities: [Compiled], checkOnly: true })
  const refusal = (await fastify.ready().then(undefined, (error: unknown) => error)) as BootError
  t.match(refusal.problems, [
    {
      code: 'SVC_DOCDB_NATIVE',
      at: /Compiled/,
      got: /compiled Mongoose model/,
      expected: /Typegoose/,
      fix: /defineEntity/
    }
  ])
})

t.test('rows of a class', async (t) => {
  const { uri } = await documents(t)
  const fastify = await application(t, { options: { connectors: { svc: { uri } } }, entities: [Person] })
  await fastify.ready()
  const people = fastify.orm.repository('Person')
  const ann = await people.create({ name: 'Ann', email: 'a@x', tags: ['a'], address: { city: 'Rome' } })

  await t.test('its hooks and defaults have run, and the row shows it', async (t) => {
    t.match(ann, { greeting: 'hello Ann', luck: 42 })
    t.strictSame(await people.findOne({ id: ann.id }), ann)
    t.match(ann.address, { city: 'Rome' })
  })

  await t.test('its validators judge', async (t) => {
    await t.rejects(people.create({ name: 'Bob', email: 'none' }), { code: 'SVC_ORM_VALUE', message: /email/ })
    await t.rejects(people.updateOne({ id: ann.id }, { email: 'none' }), { code: 'SVC_ORM_VALUE' })
    t.equal(await people.count(), 1)
  })

  await t.test('its indexes stand', async (t) => {
    await t.rejects(people.create({ name: 'Cat', email: 'a@x' }), { code: 'SVC_ORM_UNIQUE' })
  })

  await t.test('its references are relations', async (t) => {
    const bob = await people.create({ name: 'Bob', friendId: ann.id })
    t.equal((await people.findOne({ id: bob.id }, { relations: ['friend'] }))?.friend?.name, 'Ann')
    t.equal((await people.find({ friendId: ann.id }))[0]?.name, 'Bob')
  })

  await t.test('the other operations', async (t) => {
    t.equal((await people.increment({ id: ann.id }, 'luck', 2))?.luck, 44)
    t.equal((await people.upsert({ email: 'a@x' }, { name: 'Other' })).name, 'Ann')
    t.equal((await people.upsert({ email: 'new@x' }, { name: 'New' })).name, 'New')
    t.equal(await people.updateMany({ tags: 'a' }, { tags: ['b'] }), 1)
    t.ok(await people.exists({ tags: 'b' }))
    t.equal((await people.findOneAndDelete({ name: 'New' }))?.name, 'New')
    t.equal(await people.delete({ name: { $in: ['Bob'] } }), 1)
    await t.rejects(
      people.withTransaction(async (inside) => {
        await inside.create({ name: 'Gone' })
        throw new Error('undo')
      })
    )
    t.equal(await people.count(), 1)
  })

  await t.test('the native model has its methods', async (t) => {
    const native = await fastify.docdb.model('Person').findOne({ name: 'Ann' })
    t.equal((native as unknown as Person).short, 'A')
  })
})

t.test('a class that is compiled elsewhere too', async (t) => {
  getModelForClass(Address)
  t.equal(nativeModel(Address).definition.name, 'Address')
})
