"""A correct handler with Python's standard library alone: one transaction of SQLite hands on an order.

python3 python.py FOLDER
"""

import hashlib
import hmac
import json
import os
import re
import sqlite3
import sys
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

BASE = os.environ["KEYDESK_BASE_URL"]
KEY = os.environ["KEYDESK_API_KEY"]
SECRET = os.environ["KEYDESK_WEBHOOK_SECRET"].encode()
TOLERANCE_S = 300
DATABASE = os.path.join(sys.argv[1], "shop.db")


def connect():
    return sqlite3.connect(DATABASE, timeout=30, isolation_level=None)


def ask(path):
    request = urllib.request.Request(BASE + path, headers={"Authorization": "Bearer " + KEY})
    with urllib.request.urlopen(request, timeout=5) as answer:
        return json.load(answer)


def is_genuine(header, body):
    found = re.fullmatch(r"t=(\d+),v1=([0-9a-f]{64})", header)
    if found is None or abs(time.time() - int(found[1])) > TOLERANCE_S:
        return False
    signed = hmac.new(SECRET, found[1].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(signed, found[2])


def hand_on(order_id):
    database = connect()
    try:
        if database.execute("SELECT 1 FROM orders WHERE id = ?", [order_id]).fetchone():
            return
        status = ask("/orders/" + order_id)["status"]
        if status == "processing":
            raise RuntimeError("The order is not final.")
        units = [unit["id"] for unit in ask("/orders/" + order_id + "/keys")["keys"]]
        database.execute("BEGIN IMMEDIATE")
        added = database.execute("INSERT OR IGNORE INTO orders VALUES (?, ?)", [order_id, status])
        if added.rowcount == 1:
            rows = [[unit, order_id] for unit in units]
            database.executemany("INSERT INTO handed_on VALUES (?, ?)", rows)
        database.execute("COMMIT")
    finally:
        database.close()


def state(ids):
    database = connect()
    units, orders = [], []
    for order in ids:
        for status, in database.execute("SELECT status FROM orders WHERE id = ?", [order]):
            orders.append({"id": order, "status": status})
        for unit, in database.execute("SELECT unit FROM handed_on WHERE order_id = ?", [order]):
            units.append({"id": unit, "order": order})
    database.close()
    return {"units": units, "orders": orders}


class Handler(BaseHTTPRequestHandler):
    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        ids = parse_qs(urlsplit(self.path).query).get("orders", [""])[0].split(",")
        self.answer(200, json.dumps(state(ids)).encode())

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        body = self.rfile.read(length)
        if len(body) < length or not is_genuine(self.headers.get("X-SVC-Signature", ""), body):
            return self.answer(401)
        event = json.loads(body)
        if event["mode"] == "live" and event["event"].startswith("order."):
            try:
                hand_on(event["data"]["id"])
            except Exception:
                return self.answer(503)
        return self.answer(204)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128

    def handle_error(self, *_):
        """The caller closed the connection."""


setup = connect()
setup.execute("PRAGMA journal_mode = WAL")
setup.execute("CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, status TEXT NOT NULL)")
setup.execute("CREATE TABLE IF NOT EXISTS handed_on (unit TEXT PRIMARY KEY, order_id TEXT NOT NULL)")
setup.execute("CREATE INDEX IF NOT EXISTS handed_on_by_order ON handed_on (order_id)")
setup.close()
Server(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
