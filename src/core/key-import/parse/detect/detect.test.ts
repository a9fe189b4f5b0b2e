import { expect, test } from 'vitest'
import { detectForm } from './detect.ts'
import { meaningOf } from './header-words.ts'
import { isCertainKey, isPossibleKey } from './key-look.ts'

test.each([
  ['en', 'Product key', 'Game', 'Price', 'Region', 'Qty'],
  ['de', 'Produktschlüssel', 'Spiel', 'Preis', 'Länder', 'Menge'],
  ['fr', 'Clé', 'Jeu', 'Prix', 'Région', 'Quantité'],
  ['es', 'Código', 'Juego', 'Precio', 'Región', 'Cantidad'],
  ['pt', 'Chave', 'Jogo', 'Preço', 'Região', 'Quantidade'],
  ['it', 'Chiave', 'Gioco', 'Prezzo', 'Regione', 'Quantità'],
  ['pl', 'Klucz', 'Gra', 'Cena', 'Kraj', 'Ilość'],
  ['nl', 'Licentiesleutel', 'Spel', 'Prijs', 'Regio', 'Aantal'],
  ['ru', 'Ключ', 'Игра', 'Цена', 'Регион', 'Количество'],
  ['tr', 'Anahtar', 'Oyun', 'Fiyat', 'Bölge', 'Adet'],
  ['zh', '产品密钥', '游戏名称', '价格', '地区', '数量'],
  ['ja', 'シリアルコード', 'ゲーム', '価格', '地域', '数量'],
  ['ko', '코드', '게임', '가격', '지역', '수량'],
  ['sv', 'Produktnyckel', 'Titel', 'Kosten', 'Region', 'Stock'],
  ['cs', 'Klíč', 'Hra', 'Cena', 'Region', 'Status'],
])('recognizes the headers of %s, composed or decomposed', (_, key, offer, ...others) => {
  for (const form of ['NFC', 'NFD'] as const) {
    expect(meaningOf(key.normalize(form)).key).toBe(true)
    expect(meaningOf(offer.normalize(form))).toMatchObject({ key: false, offer: true })
    for (const other of others)
      expect(meaningOf(other.normalize(form))).toEqual({ key: false, offer: false, other: true })
    const rows = [`${offer};${key}`, 'X;ABCDE-FGHIJ-KLMN1', 'X;ABCDE-FGHIJ-KLMN2']
    const found = detectForm(
      rows.map((row) => row.normalize(form)),
      'a.txt',
      () => false,
      {},
    )
    expect(found).toMatchObject({ form: 'table', header: true, keyColumn: 1, skipLines: 0 })
  }
})

test.each([
  ['ABCDE-FGHIJ-KLMNO', true, true],
  ['1234-5678-9012', true, true],
  ['someone@example.net:secret', true, true],
  ['someone:secret1', true, true],
  ['https://example.net/redeem/AbC', true, true],
  ['ABCD1234EFGH5678', true, true],
  ['MIRR-EU-2024', false, true],
  ['HT2-DELUXE-2024', false, true],
  ['completeness', false, false],
  ['prd_10024', false, false],
  ['Sable Horizon: Complete', false, false],
  ['10442', false, false],
])('judges whether %s is or could be a key', (text, certain, possible) => {
  expect([isCertainKey(text), isPossibleKey(text)]).toEqual([certain, possible])
})

test('never takes a line with a key for a title', () => {
  const lines = ['ABCDE-FGHIJ-KLMN0', 'game;key', 'X;ABCDE-FGHIJ-KLMN1', 'X;ABCDE-FGHIJ-KLMN2']
  expect(detectForm(lines, 'a.csv', () => false, {})).toMatchObject({ header: false, skipLines: 0 })
})

test('never proposes a column of keys as the offer column, whatever its name', () => {
  const lines = ['key,game', '1,ABCDE-FGHIJ-KLMN1', '1,ABCDE-FGHIJ-KLMN2', '1,ABCDE-FGHIJ-KLMN3']
  expect(detectForm(lines, 'a.csv', () => false, {}).offerColumn).toBeNull()
  expect(detectForm(lines, 'a.csv', () => false, { keyColumn: 0 }).offerColumn).toBeNull()
})
