/** `pg` by itself: SQL by hand, unprepared. */
import pg from 'pg'
import type { Place, Side } from './side.ts'

export function pgSide({ target, zone }: Place): Side {
  const pool = new pg.Pool({ connectionString: target, max: 10 })
  const columns = '"id", "title", "body", "stars"'
  const ask = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows
  const month = `to_char("at" at time zone '${zone}', 'YYYY-MM')`
  const tsvector = `to_tsvector('simple', title || ' ' || text)`
  const taken = 'on conflict (sku) do update set amount = excluded.amount returning id, sku, amount'
  return {
    find: async (id) => (await ask(`select ${columns} from article where id = $1`, [id]))[0],
    insert: ({ id, title, body, stars }) =>
      ask(`insert into article (${columns}) values ($1, $2, $3, $4)`, [id, title, body, stars]),
    list: (stars) => ask(`select ${columns} from article where stars >= $1 order by title, id limit $2`, [stars, 20]),
    addStar: (id) => ask('update article set stars = stars + 1 where id = $1', [id]),
    groups: () => ask('select stars, count(*) as rows from article group by stars order by stars'),
    questions: {
      counts: (city) =>
        ask(
          `select id, name, city, (select count(*) from purchase where "customerId" = c.id) as purchases
          from customer c where city = $1 order by id`,
          [city]
        ),
      async newest(city) {
        const rows = await ask(
          `select c.id, c.name, c.city, p.id as purchase, p.placed, p.total, p.at from customer c left join lateral
          (select * from purchase where "customerId" = c.id order by placed desc limit 3) p on true
          where c.city = $1 order by c.id, p.placed desc`,
          [city]
        )
        const customers = new Map<string, { readonly purchases: unknown[] }>()
        for (const { id, name, city, purchase, placed, total, at } of rows) {
          const customer = customers.get(id) ?? { id, name, city, purchases: [] as unknown[] }
          if (purchase !== null) customer.purchases.push({ id: purchase, placed, total, at, customerId: id })
          customers.set(id, customer)
        }
        return [...customers.values()]
      },
      ordered: (from) =>
        ask(
          `select p.id, p.placed, p.total, p.at, p."customerId" from purchase p join customer c on c.id = p."customerId"
          where p.placed >= $1 and p.placed < $2 order by c.name, p.id limit $3`,
          [from, from + 1000, 100]
        ),
      months: () =>
        ask(`select ${month} as month, count(*) as rows, sum(total) as total from purchase group by 1 order by 1`),
      upsert: ({ id, sku, amount }) =>
        ask(`insert into stock (id, sku, amount) values ($1, $2, $3) ${taken}`, [id, sku, amount]),
      upsertMany: (rows) =>
        ask(`insert into stock (id, sku, amount) select * from unnest($1::uuid[], $2::text[], $3::bigint[]) ${taken}`, [
          rows.map(({ id }) => id),
          rows.map(({ sku }) => sku),
          rows.map(({ amount }) => amount)
        ]),
      updateEach: (rows) =>
        ask(
          `update stock set amount = given.amount from unnest($1::text[], $2::bigint[]) as given(id, amount)
          where stock.id = given.id returning stock.id, sku, stock.amount`,
          [rows.map(({ id }) => id), rows.map(({ amount }) => amount)]
        ),
      search: (word, beginning) =>
        ask(`select id, title, text from page where ${tsvector} @@ to_tsquery('simple', $1) order by id limit $2`, [
          `${word} & ${beginning}:*`,
          20
        ]),
      below: (id) =>
        ask(
          `with recursive tree as (select id, slug, "parentId" from category where id = $1
          union all select c.id, c.slug, c."parentId" from category c join tree on c."parentId" = tree.id) select * from tree`,
          [id]
        ),
      pair: async (course, student) =>
        (
          await ask('select course, student, grade from enrolment where course = $1 and student = $2', [
            course,
            student
          ])
        )[0]
    },
    close: () => pool.end()
  }
}
