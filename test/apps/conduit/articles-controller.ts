/** Articles: listed, read, written, liked; and the tags they have. */
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
  Post,
  Put,
  Query
} from 'svc-decorators'
import type { User } from 'svc-kernel'
import { Account, Article, Favorite, Follow, Tag } from './entities.ts'
import { answers, bodies, queries } from './schemas.ts'
import { type ArticleRow, Views } from './views.ts'

interface Page {
  readonly limit: number
  readonly offset: number
}

interface ArticleQuery extends Page {
  readonly tag?: string
  readonly author?: string
  readonly favorited?: string
}

type Draft = Pick<ArticleRow, 'title' | 'description' | 'body'> & { readonly tagList?: string[] }

@controller('/api')
export class Articles {
  readonly #fastify: FastifyInstance
  readonly #views: Views

  constructor(fastify: FastifyInstance) {
    this.#fastify = fastify
    this.#views = new Views(fastify.orm)
  }

  @Get('/articles', { schema: { ...queries.articles, ...answers.articles } })
  async list(@Query() { tag, author, favorited, ...page }: ArticleQuery, @CurrentUser() user: User) {
    const criteria = {
      ...(tag === undefined ? {} : { tagList: tag }),
      ...(author === undefined ? {} : { authorId: await this.#idsOf(author) }),
      ...(favorited === undefined ? {} : { id: await this.#favoritesOf(favorited) })
    }
    return this.#views.articles(criteria, page, await this.#views.caller(user))
  }

  @Get('/articles/feed', { schema: { ...queries.page, ...answers.articles } })
  @IsGranted('ROLE_USER')
  async feed(@Query() page: Page, @CurrentUser() user: User) {
    const member = await this.#views.member(user)
    const followed = await this.#fastify.orm.repository(Follow).find({ followerId: member.id })
    return this.#views.articles({ authorId: followed.map(({ followedId }) => followedId) }, page, member)
  }

  @Get('/articles/:slug', { schema: answers.article })
  async read(@Param('slug') slug: string, @CurrentUser() user: User) {
    const [article, caller] = await Promise.all([this.#views.articleOf(slug), this.#views.caller(user)])
    return { article: await this.#views.article(article, caller) }
  }

  @Post('/articles', { schema: { ...bodies.newArticle, ...answers.newArticle } })
  @IsGranted('ROLE_USER')
  async write(@Body() { article }: { article: Draft }, @CurrentUser() user: User, @Ctx() { reply }: HttpContext) {
    const author = await this.#views.member(user)
    const { tagList = [], ...draft } = article
    const slug = slugOf(draft.title)
    await this.#articles.create({ ...draft, tagList, slug, authorId: author.id })
    await this.#noteTags(tagList)
    reply.code(201)
    return { article: await this.#views.article(await this.#views.articleOf(slug), author) }
  }

  @Put('/articles/:slug', { schema: { ...bodies.changeArticle, ...answers.article } })
  @IsGranted('ROLE_USER')
  async change(
    @Param('slug') slug: string,
    @Body() { article: changes }: { article: Partial<Draft> },
    @CurrentUser() user: User
  ) {
    const author = await this.#views.member(user)
    const { id } = await this.#views.ownArticle(slug, author)
    const renamed = changes.title === undefined ? {} : { slug: slugOf(changes.title) }
    await this.#articles.updateOne({ id }, { ...changes, ...renamed })
    await this.#noteTags(changes.tagList ?? [])
    return { article: await this.#views.article(await this.#views.articleOf(renamed.slug ?? slug), author) }
  }

  @Delete('/articles/:slug')
  @IsGranted('ROLE_USER')
  async remove(@Param('slug') slug: string, @CurrentUser() user: User) {
    const { id } = await this.#views.ownArticle(slug, await this.#views.member(user))
    // With its comments and favorites.
    await this.#articles.delete({ id })
  }

  @Post('/articles/:slug/favorite', { schema: answers.article })
  @IsGranted('ROLE_USER')
  async favorite(@Param('slug') slug: string, @CurrentUser() user: User) {
    const [article, member] = [await this.#views.articleOf(slug), await this.#views.member(user)]
    await this.#fastify.orm.repository(Favorite).upsert({ articleId: article.id, accountId: member.id }, {})
    return { article: await this.#views.article(article, member) }
  }

  @Delete('/articles/:slug/favorite', { schema: answers.article })
  @IsGranted('ROLE_USER')
  async unfavorite(@Param('slug') slug: string, @CurrentUser() user: User) {
    const [article, member] = [await this.#views.articleOf(slug), await this.#views.member(user)]
    await this.#fastify.orm.repository(Favorite).delete({ articleId: article.id, accountId: member.id })
    return { article: await this.#views.article(article, member) }
  }

  @Get('/tags', { schema: answers.tags })
  async tags() {
    const rows = await this.#fastify.orm.repository(Tag).find({}, { order: [['name', 'ASC']], limit: 1000 })
    return { tags: rows.map(({ name }) => name) }
  }

  get #articles() {
    return this.#fastify.orm.repository(Article)
  }

  /** No account of this name: no article is theirs. */
  async #idsOf(username: string): Promise<string[]> {
    const account = await this.#fastify.orm.repository(Account).findOne({ username })
    return account === null ? [] : [account.id]
  }

  async #favoritesOf(username: string): Promise<string[]> {
    const liked = await this.#fastify.orm.repository(Favorite).find({ accountId: await this.#idsOf(username) })
    return liked.map(({ articleId }) => articleId)
  }

  async #noteTags(names: readonly string[]): Promise<void> {
    const tags = this.#fastify.orm.repository(Tag)
    for (const name of new Set(names)) await tags.upsert({ name }, {})
  }
}

function slugOf(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return words === null ? 'article' : words.join('-')
}
