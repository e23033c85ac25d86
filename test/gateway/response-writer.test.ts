import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { bindingOf } from '../../src/gateway/binding.ts';
import { responseWriterOf } from '../../src/gateway/response-writer.ts';
import { restOptions, routeOfRpc } from './test-protos.ts';

/** The parsed body of an RPC whose response message is `response`; undefined without a body. */
function written(rpc: string, response: JsonValue): unknown {
  const binding = bindingOf(routeOfRpc(rpc));
  const body = responseWriterOf(binding, restOptions)(fromJson(binding.rpc.output, response));
  return body === undefined ? undefined : JSON.parse(body);
}

/** The fields of a book without values. */
const emptyBook = {
  id: '',
  shelfId: null,
  title: '',
  binding: 'BINDING_UNSPECIFIED',
  price: 0,
  sold: '0',
  chapters: [],
  labels: {},
  lastRead: null,
};

describe('an answer holds every field that a client may count on', () => {
  it('fields without presence also when they are empty, nullable ones as null, optional ones only when set', () => {
    expect(written('LibraryService.GetBook', { book: {} })).toEqual(emptyBook);
    expect(written('LibraryService.GetBook', { book: { subtitle: '', shelfId: '' } })).toEqual({
      ...emptyBook,
      subtitle: '',
      shelfId: '',
    });
  });

  it('null is written at every depth, also in types that contain themselves', () => {
    const chapters: JsonValue = [{ title: 'a', page: 3, chapters: [{ title: 'b' }] }, {}];
    const answer = written('LibraryService.GetBook', { book: { chapters, lastRead: { title: 'c' } } });
    expect(answer).toEqual({
      ...emptyBook,
      chapters: [
        { title: 'a', page: 3, chapters: [{ title: 'b', page: null, chapters: [] }] },
        { title: '', page: null, chapters: [] },
      ],
      lastRead: { title: 'c', page: null, chapters: [] },
    });
  });

  it('a list that is left out when it is empty is there with what it holds, at every depth', () => {
    const reviews: JsonValue = [
      { author: 'a', answers: [{ author: 'b' }] },
      { author: 'c', answers: [] },
    ];
    expect(written('LibraryService.GetBook', { book: { reviews } })).toEqual({
      ...emptyBook,
      reviews: [{ author: 'a', answers: [{ author: 'b' }] }, { author: 'c' }],
    });
  });

  it('values are written as JSON has them', () => {
    const book = {
      price: 0.1,
      sold: '9007199254740993',
      binding: 'HARDCOVER',
      publishedAt: '2026-01-31T12:00:00.500Z',
      extra: { a: [1, null, { b: 'x' }] },
      labels: { k: 'v' },
    };
    expect(written('LibraryService.GetBook', { book })).toEqual({ ...emptyBook, ...book });
    expect(written('LibraryService.GetBook', { book: { price: 'NaN' } })).toHaveProperty('price', 'NaN');
  });
});

describe('response_body', () => {
  it('of a repeated field is a bare array, also when it is empty', () => {
    expect(written('LibraryService.SearchBooks', { books: [{ id: '1' }] })).toEqual([{ ...emptyBook, id: '1' }]);
    expect(written('LibraryService.SearchBooks', {})).toEqual([]);
    expect(written('LibraryService.TagBook', { tags: ['a'] })).toEqual(['a']);
  });

  it('of a message that is not set is null', () => {
    expect(written('LibraryService.GetBook', {})).toBeNull();
  });

  it('without one the whole response is answered', () => {
    expect(written('LibraryService.ListBooks', { rows: [], totalRows: 3 })).toEqual({
      rows: [],
      next: false,
      totalRows: 3,
    });
  });
});

describe('the status of success', () => {
  it.each([
    ['LibraryService.DeleteBook', 204],
    ['LibraryService.MarkRead', 200],
    ['LibraryService.AddBook', 201],
    ['LibraryService.GetBook', 200],
  ])('%s: %i', (rpc, status) => {
    expect(routeOfRpc(rpc).successStatus).toBe(status);
  });

  it('an empty response has no body', () => {
    expect(written('LibraryService.DeleteBook', {})).toBeUndefined();
    expect(written('LibraryService.MarkRead', {})).toBeUndefined();
  });
});
