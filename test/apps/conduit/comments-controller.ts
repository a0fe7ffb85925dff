/** Comments on an article, numbered over all articles. */
import type { FastifyInstance } from 'fastify'
import {
  Body,
  Ctx,
  CurrentUser,
  controller,
  Delete,
  Get,
  type HttpContext,
  IsGranted,
  Param,
  Post
} from 'svc-decorators'
import type { User } from 'svc-kernel'
import { Foreign, Missing } from './conventions.ts'
import { Comment, Sequence } from './entities.ts'
import { answers, bodies } from './schemas.ts'
import { Views } from './views.ts'

const numbered = { params: { type: 'object', properties: { slug: { type: 'string' }, id: { type: 'integer' } } } }

@controller('/api/articles/:slug/comments')
export class Comments {
  readonly #fastify: FastifyInstance
  readonly #views: Views

  constructor(fastify: FastifyInstance) {
    this.#fastify = fastify
    this.#views = new Views(fastify.orm)
  }

  @Get('/', { schema: answers.comments })
  async list(@Param('slug') slug: string, @CurrentUser() user: User) {
    const [article, caller] = await Promise.all([this.#views.articleOf(slug), this.#views.caller(user)])
    const rows = await this.#comments.find(
      { articleId: article.id },
      { order: [['number', 'ASC']], relations: ['author'], limit: 500 }
    )
    return { comments: await Promise.all(rows.map((row) => this.#views.comment(row, caller))) }
  }

  @Post('/', { schema: { ...bodies.newComment, ...answers.newComment } })
  @IsGranted('ROLE_USER')
  async write(
    @Param('slug') slug: string,
    @Body() { comment: { body } }: { comment: { body: string } },
    @CurrentUser() user: User,
    @Ctx() { reply }: HttpContext
  ) {
    const [article, author] = [await this.#views.articleOf(slug), await this.#views.member(user)]
    const number = await this.#nextNumber()
    const row = await this.#comments.create({ body, number, articleId: article.id, authorId: author.id })
    reply.code(201)
    return { comment: await this.#views.comment({ ...row, author }, author) }
  }

  @Delete('/:id', { schema: numbered })
  @IsGranted('ROLE_USER')
  async remove(@Param() { slug, id }: { slug: string; id: number }, @CurrentUser() user: User) {
    const [article, member] = [await this.#views.articleOf(slug), await this.#views.member(user)]
    const comment = await this.#comments.findOne({ articleId: article.id, number: id })
    if (comment === null) throw new Missing('comment')
    if (comment.authorId !== member.id) throw new Foreign('comment')
    await this.#comments.delete({ id: comment.id })
  }

  get #comments() {
    return this.#fastify.orm.repository(Comment)
  }

  async #nextNumber(): Promise<number> {
    const sequences = this.#fastify.orm.repository(Sequence)
    const { id } = await sequences.upsert({ name: 'comment' }, {})
    return (await sequences.increment({ id }, 'last'))?.last ?? 0
  }
}
