/** Names of tables and columns. */
import t from 'tap'
import { snakeCase } from '../../src/entities/compile-fields.ts'

t.test('snake_case', async (t) => {
  for (const [name, expected] of [
    ['Article', 'article'],
    ['BlogPost', 'blog_post'],
    ['createdAt', 'created_at'],
    ['HTTPServer2', 'http_server2'],
    ['userID', 'user_id'],
    ['user2FA', 'user2_fa'],
    ['already_snake', 'already_snake'],
    ['X', 'x']
  ] as const) {
    t.equal(snakeCase(name), expected)
  }
})
