class RequestQueue:
    def put(self, request):
        self.waiting.append(request)

    def next_request(self):
        return self.waiting.pop(0)
