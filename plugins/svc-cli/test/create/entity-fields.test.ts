/** Fields as they are typed: what each means, and what is told of those that cannot be. */
import t from 'tap'
import { parseFields } from '../../src/create/entity-fields.ts'

const good: ReadonlyArray<readonly [spec: string, name: string, type: string, nullable: boolean, unique: boolean]> = [
  ['title:string', 'title', 'string', false, false],
  ['body:text?', 'body', 'text', true, false],
  ['slug:string!', 'slug', 'string', false, true],
  ['slug:string?!', 'slug', 'string', true, true],
  ['slug:string!?', 'slug', 'string', true, true],
  ['readCount:integer', 'readCount', 'integer', false, false],
  ['price:float', 'price', 'float', false, false],
  ['done:boolean', 'done', 'boolean', false, false],
  ['at:date?', 'at', 'date', true, false],
  ['extra:json', 'extra', 'json', false, false]
]

for (const [spec, name, type, nullable, unique] of good) {
  t.test(spec, async (t) => {
    t.strictSame(parseFields([spec]), { fields: [{ name, type, nullable, unique }], relations: [], problems: [] })
  })
}

t.test('relations', async (t) => {
  t.strictSame(parseFields(['author:Author', 'head:BlogPost?!']).relations, [
    { name: 'author', target: 'Author', nullable: false, unique: false },
    { name: 'head', target: 'BlogPost', nullable: true, unique: true }
  ])
  for (const twice of [
    ['author:Author', 'authorId:string'],
    ['authorID:string', 'author:Author'],
    ['author:Author', 'author:string'],
    ['a:Author', 'a:Author']
  ]) {
    t.match(parseFields(twice).problems, [{ code: 'SVC_CREATE_FIELD', message: /is there twice/ }])
  }
})

/** Where no better form of the field is known. */
const EXAMPLE = 'title:string body:text? slug:string!'

const bad: ReadonlyArray<readonly [spec: string, message: RegExp, fix?: string]> = [
  ['title', /has no type/, 'title:string'],
  ['title:', /has no type/, 'title:string'],
  ['title:strng', /did you mean string\?/, 'title:string'],
  ['title:String!', /did you mean string\?/, 'title:string!'],
  ['n:int?', /did you mean integer\?/, 'n:integer?'],
  ['n:datetime', /did you mean date\?/, 'n:date'],
  ['n:blob', /did you mean bytes\?/, 'n:bytes'],
  ['n:bytes!', /bytes cannot be unique/, EXAMPLE],
  ['n:money2', /"money2" is no type/, 'n:string'],
  ['Title:string', /cannot name a field/, 'title:string'],
  ['first name:string', /cannot name a field/, 'firstName:string'],
  ['read_count:integer', /cannot name a field/, 'readCount:integer'],
  [':string', /cannot name a field/, EXAMPLE],
  ['id:string', /"id" is taken/, EXAMPLE],
  ['constructor:string', /"constructor" is taken/, EXAMPLE],
  ['extra:json!', /json cannot be unique/, EXAMPLE],
  ['title:string??', /a mark is there twice/, EXAMPLE],
  ['a:b:c', /cannot name a field/, EXAMPLE]
]

for (const [spec, message, fix] of bad) {
  t.test(`${spec} is refused`, async (t) => {
    const { fields, problems } = parseFields([spec])
    t.strictSame(fields, [])
    t.match(problems, [{ code: 'SVC_CREATE_FIELD', message, at: spec }])
    t.equal(problems[0]?.fix, fix)
  })
}

t.test('all faults are told together; a name is there once, whatever its case', async (t) => {
  const { fields, problems } = parseFields(['title:string', 'Title:text', 'tiTle:text', 'n:x'])
  t.strictSame(
    fields.map(({ name }) => name),
    ['title']
  )
  t.strictSame(
    problems.map(({ at }) => at),
    ['Title:text', 'tiTle:text', 'n:x']
  )
})
