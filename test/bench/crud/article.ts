/** The entity of both servers, and the rows they hold. */
import { defineEntity } from 'svc-orm'

export const Article = defineEntity({
  name: 'Article',
  schema: { title: { type: 'string' }, body: { type: 'text' }, reads: { type: 'integer', default: 0 } }
})

export const rows: readonly { title: string; body: string; reads: number }[] = Array.from({ length: 1000 }, (_, n) => ({
  title: `article ${n}`,
  body: 'a text of some length, as articles have it, told in two lines '.repeat(2),
  reads: n % 50
}))
