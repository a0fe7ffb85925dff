/** U5: the type that a method gets is that of its schema, whichever generation of TypeBox drew it. */
import { Type as Former } from '@sinclair/typebox'
import { Body, controller, type Infer, Post } from 'svc-decorators'
import t from 'tap'
import { type Static, Type } from 'typebox'
import { startApp } from '../support/start-app.ts'

/** True where both types are the same; a type of its own, so that nothing is assignable by chance. */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false

const Order = Type.Object({
  title: Type.String(),
  count: Type.Integer(),
  note: Type.Optional(Type.String()),
  id: Type.Readonly(Type.String()),
  seen: Type.Readonly(Type.Optional(Type.Boolean())),
  state: Type.Union([Type.Literal('open'), Type.Literal('closed'), Type.Null()]),
  size: Type.Enum(['s', 'm']),
  lines: Type.Array(Type.Object({ sku: Type.String(), price: Type.Number() })),
  place: Type.Tuple([Type.Number(), Type.String()]),
  tags: Type.Record(Type.String(), Type.Number()),
  both: Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Number() })]),
  at: Type.Unsafe<Date>({})
})
const Drawn = Former.Object({ title: Former.String(), note: Former.Optional(Former.String()) })

// Each is an error of the compiler where the types differ.
const isFirst: Same<Infer<typeof Order>, Static<typeof Order>> = true
const isFormer: Same<Infer<typeof Drawn>, { title: string; note?: string }> = true
const isNone: Same<Infer<{ type: 'object' }>, unknown> = true

@controller('/orders')
class Orders {
  @Post('/', { body: Order })
  write(@Body() order: Infer<typeof Order>): unknown {
    const { title, lines } = order
    return { title: title.toUpperCase(), total: lines.reduce((sum, { price }) => sum + price, 0) }
  }
}

t.test('U5: a schema of TypeBox 1 types its method, and validates', async (t) => {
  t.strictSame([isFirst, isFormer, isNone], [true, true, true])
  const { fastify } = await startApp(t, { security: false, controllers: [Orders] })
  const order = {
    title: 'one',
    count: 1,
    id: 'a',
    state: null,
    size: 's',
    lines: [{ sku: 'x', price: 2 }],
    place: [1, 'b'],
    tags: { a: 1 },
    both: { a: '', b: 1 },
    at: 0
  }
  const answer = await fastify.inject({ method: 'POST', url: '/orders', payload: order })
  t.strictSame(answer.json(), { title: 'ONE', total: 2 })
  const wrong = { ...order, lines: [{ sku: 'x', price: 'much' }] }
  t.equal((await fastify.inject({ method: 'POST', url: '/orders', payload: wrong })).statusCode, 400)
})

t.test('U5: a method whose parameter is none of its schema does not compile', async (t) => {
  const method = <Method>(): TypedPropertyDescriptor<Method> => ({})
  const write = Post('/', { body: Type.Object({ title: Type.String() }) })
  t.doesNotThrow(() => write({}, 'right', method<(order: { title: string }) => void>()))
  // @ts-expect-error the schema has a text
  t.doesNotThrow(() => write({}, 'wrong', method<(order: { title: number }) => void>()))
})
